"""Texts with stars, asked of the database by LIKE.

Not by a regular expression: on SQLite that would be Python's, which backtracks without end while every page waits.
"""

from typing import Any

from django.db.models import CharField, Lookup, TextField
from django.db.models.sql.compiler import SQLCompiler

from console.kit.stars import like_pattern

_Sql = tuple[str, tuple[Any, ...]]


class Glob(Lookup):
    """`name__glob="pay*"`. SQLite's LIKE does not tell ASCII capitals from small letters, PostgreSQL's does."""

    lookup_name = "glob"

    def get_prep_lookup(self) -> str:
        """Make the pattern of the text."""
        return like_pattern(str(self.rhs))

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> _Sql:
        """Compare by LIKE."""
        return self.compared("LIKE", compiler, connection)

    def compared(self, operator: str, compiler: SQLCompiler, connection: Any) -> _Sql:
        """Write the comparison."""
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"{left} {operator} {right} ESCAPE '!'", (*left_params, *right_params)


class CaselessGlob(Glob):
    """`name__iglob="pay*"`: capitals are small letters."""

    lookup_name = "iglob"

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> _Sql:
        """Compare by ILIKE, which only PostgreSQL has, and needs."""
        return self.compared("ILIKE", compiler, connection)


for _field in (CharField, TextField):
    _field.register_lookup(Glob)
    _field.register_lookup(CaselessGlob)

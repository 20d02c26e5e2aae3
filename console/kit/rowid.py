"""A primary key that is SQLite's own row number: a table with one less index, in the order of its ids."""

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class RowIdField(models.BigIntegerField):  # type: ignore[type-arg]  # it takes no parameters at run time
    """A bigint whose SQLite type is INTEGER, the one word that makes a primary key the row's own number."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """Give the column's type."""
        return "integer" if connection.vendor == "sqlite" else super().db_type(connection)

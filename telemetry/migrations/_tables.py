"""How some tables are laid out on disk, which Django's own operations cannot say."""

from django.db.migrations.operations import CreateModel


class CreateClustered(CreateModel):
    """A table that is its own primary index on SQLite: counters are read by ranges of their key."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        """Create the table without SQLite's hidden row ids."""
        plain = schema_editor.sql_create_table
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.sql_create_table = plain + " WITHOUT ROWID"
        try:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        finally:
            schema_editor.sql_create_table = plain


class CreatePartitioned(CreateModel):
    """A table whose rows live in ranges of its id on PostgreSQL; the ranges are made as days come."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        """Create the empty parent of the partitions."""
        plain = schema_editor.sql_create_table
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.sql_create_table = plain + " PARTITION BY RANGE (id)"
        try:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        finally:
            schema_editor.sql_create_table = plain

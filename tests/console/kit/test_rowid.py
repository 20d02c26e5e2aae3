"""A primary key of this type is SQLite's own row number, and a bigint elsewhere."""

import pytest
from django.db import connection

from console.kit.rowid import RowIdField
from telemetry.models import Call


def test_its_type_follows_the_database():
    expected = {"sqlite": "integer"}.get(connection.vendor, "bigint")
    assert RowIdField(primary_key=True).db_type(connection) == expected


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own way to number rows")
def test_a_call_needs_no_index_for_its_id():
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {Call._meta.db_table} WHERE id = 1")
        (*_, plan) = cursor.fetchone()
    assert "INTEGER PRIMARY KEY" in plan

"""Two addresses switch the way of running; a wrong one stops the start and names its variable."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from console.kit.connections import database, redis_url


def test_without_an_address_it_is_sqlite_with_durable_commits(tmp_path):
    settings = database(None, tmp_path / "data" / "x.sqlite3")
    assert settings["NAME"] == str(tmp_path / "data" / "x.sqlite3")
    assert "synchronous=FULL" in settings["OPTIONS"]["init_command"]
    assert settings["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert (tmp_path / "data").is_dir()


def test_a_postgresql_address_is_read_whole():
    settings = database("postgresql://sw:p%40ss@db.example:5433/board?sslmode=require", Path("unused"))
    told = {key: settings[key] for key in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert told == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "board",
        "USER": "sw",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_an_sqlite_address_may_name_a_file():
    assert database("sqlite:////tmp/x.sqlite3", Path("unused"))["NAME"] == "/tmp/x.sqlite3"


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense"])
def test_another_database_is_refused_by_name(url):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database(url, Path("unused"))


def test_redis_is_optional_and_its_address_is_checked():
    assert redis_url(None) is None
    assert redis_url("redis://localhost:6379/0") == "redis://localhost:6379/0"
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL"):
        redis_url("http://localhost")

"""The cast, and what every test may ask for.

operator: decides. rival: another operator. stranger: signed in, but no operator. sre: holds the breakers.
"""

import pytest
from channels.layers import channel_layers

from tests import factories


@pytest.fixture
def operator(db):
    return factories.person("ana", "operator")


@pytest.fixture
def rival(db):
    return factories.person("ben", "operator")


@pytest.fixture
def sre(db):
    return factories.person("sam", "sre")


@pytest.fixture
def stranger(db):
    return factories.person("eve")


@pytest.fixture(autouse=True)
def fresh_channel_layer(settings):
    """No message and no membership in memory survives a test; Redis forgets a channel when its reader leaves."""
    if settings.EMBEDDED:
        channel_layers.backends.clear()


def pytest_addoption(parser):
    parser.addoption("--storage", action="store_true", help="only the tests that touch the database")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark what starts a server or a browser; with --storage keep what touches rows, to run it on other servers."""
    for item in items:
        for fixture, mark in (("house", "live"), ("browser", "browser")):
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)
    if config.getoption("--storage"):
        kept = [item for item in items if touches_rows(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


def touches_rows(item):
    by_fixture = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    apart = item.get_closest_marker("browser") or item.get_closest_marker("live")
    return bool((item.get_closest_marker("django_db") or by_fixture) and not apart)

"""The environment every test runs in; a pytest plugin, loaded before Django reads its settings.

A test run has a data folder of its own, talks to nobody outside this machine, and turns every warning into an error.
"""

import atexit
import os
import shutil
import socket
import tempfile

import pytest

OUTSIDE = "Tests talk to this machine only; {address!r} is outside."
connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["SWITCHBOARD_DATA"] = tempfile.mkdtemp(prefix="switchboard-tests-")
    atexit.register(shutil.rmtree, os.environ["SWITCHBOARD_DATA"], ignore_errors=True)
os.environ["LOG_LEVEL"] = "CRITICAL"
os.environ["CELERY_SKIP_CHECKS"] = "true"  # what a worker would check, the suite checks
os.environ["SECRET_KEY"] = "a key for tests only, long enough for everyone who asks"


def _inside(address):
    return not isinstance(address, tuple) or address[0] in {"127.0.0.1", "::1", "localhost", ""}


def _connect(self, address):
    if not _inside(address):
        raise OSError(OUTSIDE.format(address=address))
    return connect(self, address)


def _connect_ex(self, address):
    if not _inside(address):
        raise OSError(OUTSIDE.format(address=address))
    return connect_ex(self, address)


def pytest_configure(config):
    """Change what differs under test, once, before anything is connected."""
    from django.conf import settings  # noqa: PLC0415  # reads the environment set above

    socket.socket.connect, socket.socket.connect_ex = _connect, _connect_ex
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}  # hashed names need collectstatic
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns of a folder that is not there
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if not settings.EMBEDDED:  # two workers of one run must not hear each other
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"switchboard-{worker}"
    database = settings.DATABASES["default"]
    database["CONN_MAX_AGE"] = 0  # threads of a test end with it, and an open connection would outlive them
    if "sqlite3" in database["ENGINE"]:
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        database["TEST"] = {**database.get("TEST", {}), "NAME": str(settings.DATA_DIR / "test.sqlite3")}


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Give the sockets back."""
    socket.socket.connect, socket.socket.connect_ex = connect, connect_ex

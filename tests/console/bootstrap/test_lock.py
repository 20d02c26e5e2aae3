from importlib.metadata import PackageNotFoundError

import pytest

from console.bootstrap.environment import RUNTIME, TESTS
from console.bootstrap.lock import Lock

TEXT = """\
django==5.2.19 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via console
uvloop==0.23.0 ; sys_platform != 'win32' \\
    --hash=sha256:cc
    # via console
uv==0.13.9 \\
    --hash=sha256:dd
"""


@pytest.fixture
def lock(tmp_path):
    path = tmp_path / "requirements.lock"
    path.write_text(TEXT)
    return Lock(path)


def installed(**versions):
    def version(name):
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    return version


def test_pins_are_read_with_their_versions_conditions_and_hashes(lock):
    django, uvloop, uv = lock.pins()
    assert (django.name, django.version, django.conditional) == ("django", "5.2.19", False)
    assert (uvloop.version, uvloop.conditional) == ("0.23.0", True)
    assert uv.text == "uv==0.13.9 \\\n    --hash=sha256:dd"
    assert "via" not in django.text


def test_the_installer_can_be_asked_for_alone(lock):
    assert lock.pin("uv").version == "0.13.9"


def test_nothing_is_missing_where_every_unconditional_pin_is_there(lock):
    assert lock.missing(installed(django="5.2.19", uv="0.13.9")) == []


def test_another_version_counts_as_missing(lock):
    assert lock.missing(installed(django="5.2.18", uv="0.13.9")) == ["django"]


def test_a_bare_python_lacks_everything(lock):
    assert lock.missing(installed()) == ["django", "uv"]


def test_the_digest_follows_the_file(lock):
    before = lock.digest
    lock.path.write_text(TEXT + "\n")
    assert lock.digest != before


def test_the_test_lock_holds_everything_of_the_runtime_lock_in_the_same_versions():
    runtime = {(pin.name, pin.version) for pin in RUNTIME.pins()}
    assert len(runtime) > 50
    assert runtime <= {(pin.name, pin.version) for pin in TESTS.pins()}


def test_every_pin_of_the_committed_locks_carries_a_hash_and_no_address():
    for lock in (RUNTIME, TESTS):
        assert all("--hash=sha256:" in pin.text for pin in lock.pins())
        assert "://" not in lock.path.read_text()

import json

import pytest

from console.bootstrap.lock import Lock
from console.bootstrap.venv import NotReady, Venv, last_words, run, uv_environment, why_not_venv


@pytest.fixture
def venv(tmp_path):
    made = Venv(tmp_path / ".venv")
    made.python.parent.mkdir(parents=True)
    made.python.touch()
    return made


@pytest.fixture
def locks(tmp_path):
    made = Lock(tmp_path / "runtime.lock"), Lock(tmp_path / "test.lock")
    for lock in made:
        lock.path.write_text(lock.path.name)
    return made


def stamp(venv, lock):
    venv.stamp.write_text(json.dumps({"sha256": lock.digest, "folder": str(venv.folder)}))


def test_an_environment_without_a_stamp_holds_nothing(venv, locks):
    assert not venv.holds(locks[0], locks[1])


def test_the_environment_of_the_tests_serves_the_console_as_well(venv, locks):
    runtime, tests = locks
    stamp(venv, tests)
    assert venv.holds(runtime, tests)
    assert venv.holds(tests, tests)


def test_the_environment_of_the_console_does_not_serve_the_tests(venv, locks):
    runtime, tests = locks
    stamp(venv, runtime)
    assert venv.holds(runtime, tests)
    assert not venv.holds(tests, tests)


def test_a_changed_lock_makes_the_stamp_stale(venv, locks):
    runtime, tests = locks
    stamp(venv, runtime)
    runtime.path.write_text("something newer")
    assert not venv.holds(runtime, tests)


def test_a_stamp_without_an_interpreter_holds_nothing(venv, locks):
    stamp(venv, locks[0])
    venv.python.unlink()
    assert not venv.holds(locks[0], locks[1])


def test_an_environment_that_was_copied_holds_nothing(venv, locks, tmp_path):
    stamp(venv, locks[0])
    copy = Venv(venv.folder.rename(tmp_path / "elsewhere"))
    assert not copy.holds(locks[0], locks[1])


def test_an_environment_whose_making_was_interrupted_is_not_whole(venv):
    assert not venv.whole
    (venv.folder / "lib" / "python3.11" / "site-packages" / "pip-23.2.dist-info").mkdir(parents=True)
    assert venv.whole


def test_a_broken_stamp_holds_nothing(venv, locks):
    venv.stamp.write_text("{")
    assert not venv.holds(locks[0], locks[1])


def test_a_python_without_venv_is_told_what_to_install():
    assert "apt install python3-venv" in why_not_venv(lambda name: None if name == "ensurepip" else object())
    assert why_not_venv(lambda _name: object()) is None


@pytest.mark.parametrize(
    "output",
    [
        "error: Request failed after 3 retries\n  Caused by: failed to lookup address: dns error\n",
        "ERROR: Could not find a version that satisfies the requirement uv==1 (from versions: none)\nERROR: No match\n",
    ],
    ids=["uv", "pip"],
)
def test_without_a_network_the_sentence_says_so(output):
    assert last_words(output).startswith("the package index could not be reached")


def test_another_failure_is_told_in_the_installers_last_words():
    assert last_words("warning: x\nerror: hash mismatch for django\n") == "error: hash mismatch for django"


def test_a_step_that_fails_becomes_one_sentence():
    with pytest.raises(NotReady, match=r"^It did not work: it gave no reason"):
        run(["false"], "It did not work")


def test_an_index_that_only_pip_was_told_is_told_to_uv():
    assert uv_environment({"PIP_INDEX_URL": "https://mirror"})["UV_DEFAULT_INDEX"] == "https://mirror"


def test_an_index_that_uv_was_told_stays():
    given = {"PIP_INDEX_URL": "https://mirror", "UV_DEFAULT_INDEX": "https://other"}
    assert uv_environment(given)["UV_DEFAULT_INDEX"] == "https://other"


def test_uv_never_fetches_a_python():
    assert uv_environment({})["UV_PYTHON_DOWNLOADS"] == "never"


def test_an_environment_of_another_user_is_explained(venv, locks, monkeypatch):
    stamp(venv, locks[0])

    def refuse(_path):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.exists", refuse)
    with pytest.raises(NotReady, match="was made by another user"):
        venv.holds(*locks)


def test_without_a_home_the_installer_keeps_nothing_there(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "none"))
    assert uv_environment({})["UV_NO_CACHE"] == "true"
    assert "UV_NO_CACHE" not in uv_environment({"UV_CACHE_DIR": str(tmp_path)})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "UV_NO_CACHE" not in uv_environment({})


def test_a_certificate_that_is_not_trusted_is_not_taken_for_a_missing_network():
    said = "error: Request failed\n  cause: error trying to connect\n  cause: invalid peer certificate: UnknownIssuer"
    assert "SSL_CERT_FILE" in last_words(said)

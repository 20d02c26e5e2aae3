"""A wrong value stops the start and names its variable."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from console.kit import env


@pytest.mark.parametrize(("given", "read"), [(None, True), ("", True), ("true", True), ("false", False)])
def test_a_flag_is_one_of_two_words(monkeypatch, given, read):
    monkeypatch.delenv("X_FLAG", raising=False)
    if given is not None:
        monkeypatch.setenv("X_FLAG", given)
    assert env.flag("X_FLAG", default=True) is read


@pytest.mark.parametrize("given", ["True", "1", "yes"])
def test_any_other_word_is_refused(monkeypatch, given):
    monkeypatch.setenv("X_FLAG", given)
    with pytest.raises(ImproperlyConfigured, match="X_FLAG must be 'true' or 'false'"):
        env.flag("X_FLAG", default=True)


@pytest.mark.parametrize("given", ["-1", "ten", "1.5", "9", "١٢"])
def test_a_number_has_a_least_value(monkeypatch, given):
    monkeypatch.setenv("X_N", given)
    with pytest.raises(ImproperlyConfigured, match="X_N must be a whole number of at least 10"):
        env.number("X_N", 30, least=10)


def test_a_list_is_split_at_commas(monkeypatch):
    monkeypatch.setenv("X_L", "a.example, b.example,,")
    assert env.words("X_L") == ["a.example", "b.example"]


def test_a_secret_may_come_from_a_file(monkeypatch, tmp_path):
    (tmp_path / "s").write_text("from-file\n")
    monkeypatch.setenv("X_S", "from-env")
    assert env.secret("X_S") == "from-env"
    monkeypatch.setenv("X_S_FILE", str(tmp_path / "s"))
    assert env.secret("X_S") == "from-file"


def test_a_stored_secret_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "var" / "secret.key"
    first = env.stored_secret(path)
    assert env.stored_secret(path) == first
    assert len(first) >= 48
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_data_folder_that_is_a_file_is_one_sentence(tmp_path):
    (tmp_path / "var").touch()
    with pytest.raises(ImproperlyConfigured, match=r"var cannot be made .*SWITCHBOARD_DATA"):
        env.stored_secret(tmp_path / "var" / "secret.key")


def test_a_data_folder_that_takes_nothing_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(ImproperlyConfigured, match="cannot be written"):
        env.stored_secret(tmp_path / "secret.key")

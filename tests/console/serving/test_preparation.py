import pytest

from console.serving import preparation


@pytest.fixture
def source(settings, tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.css").write_text("a{}")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [folder], tmp_path / "collected"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    return folder


def test_static_files_are_collected_once_and_again_when_a_source_changes(source, settings):
    said = []
    preparation.collect_static(said.append)
    assert (settings.STATIC_ROOT / "a.css").read_text() == "a{}"
    preparation.collect_static(said.append)
    assert len(said) == 1
    (source / "a.css").write_text("a{color:red}")
    preparation.collect_static(said.append)
    assert len(said) == 2
    assert (settings.STATIC_ROOT / "a.css").read_text() == "a{color:red}"


def test_a_file_that_went_away_is_not_served_any_longer(source, settings):
    (source / "b.css").write_text("b{}")
    preparation.collect_static([].append)
    (source / "b.css").unlink()
    preparation.collect_static([].append)
    assert not (settings.STATIC_ROOT / "b.css").exists()


@pytest.mark.django_db
def test_a_database_that_is_as_expected_is_left_alone():
    said = []
    preparation.migrate(said.append)
    assert said == []

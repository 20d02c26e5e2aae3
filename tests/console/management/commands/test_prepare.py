import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_what_is_as_expected_is_left_alone(settings, tmp_path, capsys):
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [], tmp_path
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    call_command("prepare")
    call_command("prepare")
    assert capsys.readouterr().out == "Static files: collecting\n"

import pytest

from tests.live import browser


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser.shutil, "which", lambda _name: None)


def test_without_a_browser_a_test_is_skipped_with_the_command_that_brings_one(no_browser, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        browser.executable()


def test_in_ci_that_is_a_failure(no_browser, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        browser.executable()


def test_a_browser_that_is_named_is_taken(no_browser, monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/opt/chrome")
    assert browser.executable() == "/opt/chrome"

"""A Chromium on this machine, found and started for tests."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # needed as root
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)
MISSING = (
    "No Chromium on this machine, so the browser tests do not run. To get one: apt-get install chromium "
    "(or set CHROMIUM to the path of a Chromium or Chrome)."
)


def executable():
    """Give the path of a browser; skip the test by name where there is none, fail it in CI."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING)
    pytest.skip(MISSING)

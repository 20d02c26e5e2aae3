"""The committed browser libraries are checked against their manifest; fetching is for whoever raises a version."""

import pytest
from django.core.management import CommandError, call_command

from console.management.commands import vendor_js


def test_the_committed_files_are_those_of_the_manifest(capsys):
    call_command("vendor_js", "--check")
    assert "as the manifest says" in capsys.readouterr().out


def test_a_changed_file_is_named(monkeypatch):
    told = {name: {**entry, "sha256": "0"} for name, entry in vendor_js.manifest().items()}
    monkeypatch.setattr(vendor_js, "manifest", lambda: told)
    with pytest.raises(CommandError, match=r"plotly-basic\.min\.js"):
        call_command("vendor_js", "--check")


def test_everything_wanted_is_in_the_manifest_with_its_version():
    kept = {
        name: (entry["package"], entry["version"], entry["source"])
        for name, entry in vendor_js.manifest().items()
    }
    assert kept == {one.target: (one.package, one.version, one.source) for one in vendor_js.WANTED}

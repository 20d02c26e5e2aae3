"""Fetch the browser libraries we ship, from npm, into static/vendor with a manifest of hashes.

Whoever runs Switchboard needs no node: the files are committed. Whoever raises a version runs this once.
"""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

VENDOR = Path(settings.BASE_DIR) / "static" / "vendor"
MANIFEST = VENDOR / "VERSIONS.json"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file of one npm package, and where it goes below static/vendor."""

    package: str
    version: str
    licence: str
    source: str
    target: str


PLOTLY = "plotly-basic@4.1.1"
WANTED = (
    Wanted(
        "plotly.js-basic-dist-min", "4.1.1", "MIT", "plotly-basic.min.js", f"{PLOTLY}/plotly-basic.min.js"
    ),
    Wanted("plotly.js-basic-dist-min", "4.1.1", "MIT", "LICENSE", f"{PLOTLY}/LICENSE"),
    # The style sheet that plotly.js would otherwise write into the page, which our content policy forbids.
    Wanted("plotly.js", "4.1.1", "MIT", "dist/plotly.css", f"{PLOTLY}/plotly.css"),
)


class Command(BaseCommand):
    help = "Fetch the browser libraries from npm into static/vendor and write their manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="compare the committed files with the manifest only"
        )

    def handle(self, *args: object, **options: object) -> None:
        if options["check"]:
            wrong = [name for name, entry in manifest().items() if sha256(VENDOR / name) != entry["sha256"]]
            if wrong:
                raise CommandError(f"These files are not the ones the manifest names: {', '.join(wrong)}")
            self.stdout.write(f"{len(manifest())} files are as the manifest says.")
            return
        with tempfile.TemporaryDirectory() as folder:
            written = {one.target: self._fetch(one, Path(folder)) for one in WANTED}
        MANIFEST.write_text(json.dumps(written, indent=2, sort_keys=True) + "\n")

    def _fetch(self, one: Wanted, folder: Path) -> dict[str, str]:
        """Unpack one file of one package and give its line of the manifest."""
        archive = folder / f"{one.package}-{one.version}.tgz"
        if not archive.exists():
            name = f"{one.package}@{one.version}"
            self.stdout.write(f"npm pack {name}")
            subprocess.run(
                ["npm", "pack", name, "--pack-destination", str(folder)], check=True, capture_output=True
            )
        with tarfile.open(archive) as packed:
            member = packed.extractfile(f"package/{one.source}")
            if member is None:
                raise CommandError(f"{one.package} has no {one.source}")
            target = VENDOR / one.target
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(member.read())
        return {key: value for key, value in asdict(one).items() if key != "target"} | {
            "sha256": sha256(target)
        }


def manifest() -> dict[str, dict[str, str]]:
    """Read the manifest: path below static/vendor → package, version, licence, source, sha256."""
    entries: dict[str, dict[str, str]] = json.loads(MANIFEST.read_text())
    return entries


def sha256(path: Path) -> str:
    """Give the hash of a file's bytes, as hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()

import sys

from console.bootstrap import real
from console.bootstrap.environment import ROOT
from console.bootstrap.venv import Venv


def test_the_tests_run_in_the_other_environment_with_settings_of_their_own(tmp_path):
    python, *rest = real.command(["-q", "tests/real"], Venv(tmp_path))
    assert python == str(tmp_path / "bin" / "python")
    assert rest[:4] == ["-m", "pytest", "-c", "tests/real/pytest.ini"]
    assert rest[-2:] == ["-q", "tests/real"]
    assert (ROOT / "tests/real/pytest.ini").exists()


def test_the_other_environment_sees_no_packages_of_this_one_and_knows_the_consoles_python():
    given = {"PYTHONPATH": "/here", "DJANGO_SETTINGS_MODULE": "console.settings", "PATH": "/bin"}
    there = real.environment(given, sys.executable)
    assert there == {"PATH": "/bin", real.CONSOLE_PYTHON: sys.executable}


def test_compiled_modules_are_kept_over_there_where_they_are_forbidden_beside_the_sources(tmp_path):
    there = real.environment({"PYTHONDONTWRITEBYTECODE": "1"}, sys.executable, Venv(tmp_path))
    assert there == {"PYTHONPYCACHEPREFIX": str(tmp_path / "pycache"), real.CONSOLE_PYTHON: sys.executable}


def test_the_frameworks_are_locked_with_hashes_and_without_addresses():
    pins = {pin.name: pin for pin in real.FRAMEWORKS.pins()}
    assert {"langgraph", "openai-agents", "pydantic-ai-slim", "mcp", "opentelemetry-sdk"} <= set(pins)
    assert all("--hash=sha256:" in pin.text for pin in pins.values())
    assert "http" not in "".join(
        line for line in real.FRAMEWORKS.path.read_text().splitlines() if line.startswith("-")
    )

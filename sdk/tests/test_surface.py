import ast
import subprocess
import sys
import types
from pathlib import Path

import switchboard
from switchboard import _errors, testing, wire


def public(module):
    names = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return sorted(
        name for name, value in names.items() if not isinstance(value, types.ModuleType) or name == "wire"
    )


def test_everything_public_is_listed_and_sorted():
    assert switchboard.__all__ == public(switchboard)
    assert wire.__all__ == public(wire)
    assert testing.__all__ == public(testing)


def test_no_public_name_comes_from_the_http_or_the_websocket_library():
    for module in (switchboard, wire, testing):
        for name in module.__all__:
            home = getattr(getattr(module, name), "__module__", "")
            assert not home.startswith(("httpx", "websockets")), name


def test_importing_the_package_loads_neither_the_http_nor_the_websocket_library():
    code = (
        "import sys, switchboard; print([m for m in ('httpx2', 'websockets', 'django') if m in sys.modules])"
    )
    seen = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert seen.stdout.strip() == "[]"


def test_every_module_says_its_job_in_its_first_line():
    # Read and not imported: an adapter needs the framework it adapts to.
    for path in Path(switchboard.__file__).parent.rglob("*.py"):
        assert (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip(), path.name


def test_every_exception_is_below_one_root_and_drawn_in_the_tree():
    for name, kind in vars(_errors).items():
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, switchboard.SwitchboardError), name
            assert name in _errors.__doc__
            assert name in switchboard.__all__

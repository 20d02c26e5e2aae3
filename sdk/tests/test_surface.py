import importlib
import pkgutil
import subprocess
import sys
import types

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
    for found in pkgutil.walk_packages(switchboard.__path__, "switchboard."):
        module = importlib.import_module(found.name)
        assert (module.__doc__ or "").strip(), found.name


def test_every_exception_is_below_one_root_and_drawn_in_the_tree():
    for name, kind in vars(_errors).items():
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, switchboard.SwitchboardError), name
            assert name in _errors.__doc__
            assert name in switchboard.__all__

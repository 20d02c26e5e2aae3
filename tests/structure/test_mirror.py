"""A behaviour's test is found from its module's name, and the other way round."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("console", "escalations", "telemetry")
ELSEWHERE = {
    "__init__": "re-exports",
    "actor": "a dataclass of the kit",
    "__main__": "a door; the room behind it is tested",
    "apps": "registers with Django",
    "asgi": "the journeys run it",
    "celery": "two tables: structure/test_tasks",
    "contract": "goldens: contract/test_schemas",
    "models": "reached through operations",
    "refusal": "exceptions of the kit: console/kit/test_problem",
    "roles": "words",
    "routing": "a table; the consumers are tested",
    "settings": "one file of values; its readers are tested in console/kit",
    "shapes": "dataclasses that queries give",
    "static": "in the kit one flag, in serving a file of its own",
    "urls": "a table: structure/test_routes",
    "vocabulary": "words",
}

# Folders whose modules stand alone; elsewhere a folder is one module that grew, tested through its front door.
ALONE = (
    "console/kit",
    "console/serving",
    "console/bootstrap",
    "console/management/commands",
    "console/templatetags",
)


def modules():
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            module = path.relative_to(ROOT)
            if not {"migrations", *ELSEWHERE} & {*module.with_suffix("").parts}:
                yield module


def mirrors(module):
    """The places where the tests of a module may be: its own file, or the file of a package it is part of."""
    yield Path("tests") / module.with_name(f"test_{module.name}")
    for package in [parent for parent in module.parents if len(parent.parts) > 1]:
        yield Path("tests") / package.with_name(f"test_{package.name}.py")
        if str(module.parent) not in ALONE:
            yield from (path.relative_to(ROOT) for path in (ROOT / "tests" / package).glob("test_*.py"))


def has_tests(module):
    return any((ROOT / place).exists() for place in mirrors(module))


def mirrored(test):
    """The places where what a test file is about may be: a module, or a package."""
    name = test.stem.removeprefix("test_")
    where = test.relative_to("tests").with_name(name)
    return where.with_suffix(".py"), where


def test_every_module_has_a_test_file_of_its_name():
    assert [str(next(mirrors(module))) for module in modules() if not has_tests(module)] == []


def test_every_test_file_mirrors_something_that_exists():
    tests = [path.relative_to(ROOT) for room in ROOMS for path in (ROOT / "tests" / room).rglob("test_*.py")]
    assert tests
    assert [test for test in tests if not any((ROOT / place).exists() for place in mirrored(test))] == []

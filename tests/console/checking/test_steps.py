from console.checking import steps


def test_everything_is_checked_before_anything_is_run():
    names = [step.name for step in steps.chosen([], None, fast=False)]
    assert names == [
        "format", "style", "types", "imports", "migrations", "templates", "contracts", "units", "sdk", "journeys",
        "storage on PostgreSQL and Valkey", "journeys on PostgreSQL and Valkey",
    ]  # fmt: skip


def test_the_quick_run_starts_no_server_and_no_browser():
    quick = steps.chosen([], None, fast=True)
    assert [step.name for step in quick] == [
        "format",
        "style",
        "imports",
        "migrations",
        "templates",
        "contracts",
        "units",
        "sdk",
    ]


def test_the_real_frameworks_can_be_asked_for_alone():
    (only,) = steps.chosen(["real"], None, fast=False)
    assert only == steps.real()
    assert "console.bootstrap.real" in only.argv
    assert not only.quick


def test_paths_and_words_run_those_tests_alone():
    (only,) = steps.chosen(["tests/console"], "lock", fast=False)
    assert only.argv[-3:] == ("tests/console", "-k", "lock")
    assert only.counted

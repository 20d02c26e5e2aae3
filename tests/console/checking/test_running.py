import sys

import pytest

from console.checking.running import counts, finish, run
from console.checking.steps import Step

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure message="no"/></testcase>
<testcase name="c"><error message="no"/></testcase><testcase name="d"><skipped message="No Chromium"/></testcase>
</testsuite></testsuites>"""


def script(code, **options):
    return Step("step", (sys.executable, "-c", code), **options)


def writing(report, code):
    return script(
        f"import sys; path = sys.argv[-1].partition('=')[2]; open(path, 'w').write({report!r}); sys.exit({code})",
        counted=True,
    )


def test_a_report_is_counted_with_the_reasons_of_what_was_skipped(tmp_path):
    (tmp_path / "r.xml").write_text(REPORT)
    assert counts(tmp_path / "r.xml") == (1, 2, 1, ("d: No Chromium",))


def test_a_check_that_passes_says_ok_and_counts_no_test():
    outcome = run(script("print('fine')"))
    assert (outcome.passed, outcome.failed, outcome.output) == (0, 0, "fine\n")
    assert outcome.line.startswith("ok")


def test_a_check_that_fails_counts_once_and_keeps_what_it_said():
    outcome = run(script("import sys; print('why', file=sys.stderr); sys.exit(3)"))
    assert (outcome.failed, outcome.output) == (1, "why\n")


def test_tests_are_counted_from_their_report():
    outcome = run(writing(REPORT, 1))
    assert (outcome.passed, outcome.failed, outcome.skipped) == (1, 2, 1)
    assert outcome.line.startswith("1 passed, 2 failed, 1 skipped")


@pytest.mark.parametrize(("code", "failed"), [(0, 0), (5, 0), (2, 1), (-9, 1)])
def test_a_run_that_broke_off_counts_as_failed_even_where_no_test_did(code, failed):
    fine = '<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>'
    ending = script(
        f"import os, sys; open(sys.argv[-1].partition('=')[2], 'w').write({fine!r});"
        f"os.kill(os.getpid(), 9) if {code} < 0 else sys.exit({code})",
        counted=True,
    )
    assert run(ending).failed == failed


def test_a_program_that_does_not_end_is_ended_and_what_it_printed_is_kept():
    code, output = finish(
        [sys.executable, "-c", "import time; print('so far', flush=True); time.sleep(60)"], 0.5
    )
    assert code == 1
    assert output.startswith("so far")
    assert "did not end within" in output

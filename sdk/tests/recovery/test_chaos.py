"""Everything fails, everybody dies, and still nothing is done twice and no task is lost.

Here it is some tasks; `manage.py bench seeds` runs two thousand, `manage.py bench chaos` kills real processes.
"""

from pathlib import Path

import pytest
from chaos import Verdict, run_task  # found by the conftest above


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_done_twice_and_no_task_is_lost(part: int, quick_folder: Path) -> None:
    verdict = Verdict()
    for seed in range(part * 10, part * 10 + 10):
        run_task(seed, quick_folder, verdict)
    assert (verdict.twice, verdict.lost) == ([], [])
    assert verdict.ends.total() == 10
    assert verdict.effects

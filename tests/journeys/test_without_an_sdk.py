"""docs/http.md as it stands: one task by curl alone, from its failed call to its outcome."""

import os
import re
import shutil
import subprocess

import pytest

from tests.live.house import ROOT

BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "http.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.embedded  # about the page's lines; whatever stores the rows
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed: apt install curl")
def test_the_page_about_http_is_true_line_by_line(house):
    house.sign_in_link("ana", "operator")
    keys = {
        "CONSOLE": house.url,
        "KEY": house.manage("agent", "create", "biller").strip(),
        "TOKEN": house.token("ana"),
    }
    script = "set -eu\n" + "\n".join(BLOCKS)
    done = subprocess.run(
        ["bash", "-c", script], env=os.environ | keys, capture_output=True, text=True, check=True
    )
    said = done.stdout
    assert '"class":"hard"' in said
    assert '"idempotency_key":"bill-5"' not in said  # an edited step has a key of its own
    assert '"args":{"amount":4}' in said
    assert '"acknowledged_at"' in said
    assert '"execution":"executed"' in said
    assert '"errors"' not in said  # no refusal among the answers

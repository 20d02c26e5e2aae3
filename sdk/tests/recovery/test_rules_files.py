"""Rules that a team keeps in a file: recovery.md §4.9."""

from pathlib import Path

import pytest

import switchboard as sb
from switchboard.testing import FakeClock, FakeConsole


async def test_a_file_puts_a_teams_rules_before_the_default_ones(
    console: FakeConsole, tmp_path: Path
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(
        """
        refuse = ["fold-enum"]
        [[rule]]
        id = "gateway"
        when = { status = ["5xx"], tool = ["it"], effect = ["read"] }
        do = ["retry", "replan"]
        attempts = 2
        base_s = 0.1
        """
    )
    box = sb.Toolbox(console.client(), rules=sb.load_rules(path), clock=console.clock)

    @box.tool(effect="read")
    async def it() -> None:
        raise sb.HttpFailure(500)

    async with box.session(goal="g") as session:
        result = await session.call("it")
    assert (result.outcome, len(result.attempts)) == ("failed", 2)
    assert console.cases == []


def test_a_file_of_ones_own_parsers() -> None:
    rules = sb.load_rules(
        '[[repair]]\nid="x"\nfield="a"\nparser="mine"', parsers={"mine": lambda text, _: text[::-1]}
    )
    assert rules.repairs[0].after("abc", FakeClock().now()) == "cba"


@pytest.mark.parametrize(
    "text",
    [
        "not toml =",
        '[[rule]]\nid="x"\ndo=["dance"]',
        '[[rule]]\nid="x"\ndo=["retry"]\nsurprise=1',
        '[[rule]]\nid="x"\ndo=["retry"]\nwhen={status=["6x"]}',
        '[[repair]]\nid="x"\nfield="a"',
        '[[repair]]\nid="x"\nfield="a"\nparser="nobody"',
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str) -> None:
    with pytest.raises(sb.Misconfigured):
        sb.load_rules(text)

"""The adapters that need nobody's package: MCP and Anthropic messages. Semantics 7, 14, 15 and 35 of recovery.md §4."""

from types import SimpleNamespace
from typing import Any

import pytest

import switchboard as sb
from switchboard.adapters import anthropic, mcp
from switchboard.testing import FakeConsole


@pytest.fixture
def box(console: FakeConsole) -> sb.Toolbox:
    toolbox = sb.Toolbox(console.client(), clock=console.clock)

    @toolbox.tool(effect="read")
    async def search(city: str) -> list[str]:
        """Find flights."""
        return [city]

    @toolbox.tool(effect="write")
    async def pay(amount: int) -> dict[str, int]:
        raise sb.ToolFailure("hard", "DECLINED")

    return toolbox


class Server:
    """What an MCP client session looks like, with a server behind it that says what it is told to."""

    def __init__(self, *answers: Any, **annotations: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any], Any]] = []
        schema = {
            "type": "object",
            "required": ["city"],
            "properties": {
                "city": {"type": "string"},
                "kind": {"enum": ["one", "two"]},
                "n": {"type": "integer"},
            },
        }
        self.tool = SimpleNamespace(
            name="search",
            description="Find.",
            input_schema=schema,
            annotations=SimpleNamespace(**annotations),
        )

    async def list_tools(self) -> Any:
        return SimpleNamespace(tools=[self.tool])

    async def call_tool(self, name: str, arguments: dict[str, Any], meta: Any = None) -> Any:
        self.asked.append((name, arguments, meta))
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def said(text: str, *, is_error: bool = False, structured: Any = None) -> Any:
    return SimpleNamespace(
        content=[{"type": "text", "text": text}], is_error=is_error, structured_content=structured
    )


async def test_an_mcp_tool_is_called_with_a_key_and_gives_its_data() -> None:
    box, server = sb.Toolbox(), Server(said("x", structured={"hits": 1}), said("plain"))
    await mcp.register(box, server, effects={"search": "read"}, prefix="mcp.")
    result = await box.call("mcp.search", {"city": "TYO"})
    assert result.data == {"hits": 1}
    assert (await box.call("mcp.search", {"city": "OSA"})).data == "plain"
    name, arguments, meta = server.asked[0]
    assert (name, arguments) == ("search", {"city": "TYO"})
    assert len(meta["idempotencyKey"]) == 64
    assert box.schemas()[0]["parameters"]["required"] == ["city"]


async def test_7_arguments_are_checked_before_the_server_is_asked() -> None:
    box, server = sb.Toolbox(), Server()
    await mcp.register(box, server)
    result = await box.call("search", {"kind": "three", "n": True, "ctiy": "TYO"})
    assert result.error is not None
    assert {error.field: error.code for error in result.error.errors} == {
        "city": "MISSING", "kind": "NOT_ALLOWED", "n": "WRONG_TYPE", "ctiy": "UNKNOWN_FIELD",
    }  # fmt: skip
    assert server.asked == []


async def test_14_an_error_of_a_server_is_a_failure_with_its_text() -> None:
    box, server = sb.Toolbox(), Server(said("no such city", is_error=True, structured={"wrong": "shape"}))
    await mcp.register(box, server, effects={"search": "read"})
    result = await box.call("search", {"city": "TYO"})
    assert result.error is not None
    assert (result.error.class_, result.error.message) == ("hard", "no such city")


async def test_a_server_that_asks_for_input_first_defers() -> None:
    box, server = sb.Toolbox(), Server(SimpleNamespace(input_requests=[{"id": "1"}]))
    await mcp.register(box, server, effects={"search": "read"})
    assert (await box.call("search", {"city": "TYO"})).outcome == "deferred"


@pytest.mark.parametrize(
    ("declared", "hints", "effect"),
    [
        (None, {"read_only_hint": True}, "write"), ("read", {"read_only_hint": True}, "read"),
        ("read", {"destructive_hint": True}, "write"), ("read", {"read_only_hint": False}, "write"),
        ("idempotent_write", {"read_only_hint": True}, "idempotent_write"), (None, {"idempotent_hint": True}, "write"),
    ],
)  # fmt: skip
async def test_35_hints_can_only_make_an_effect_stricter(declared: Any, hints: Any, effect: str) -> None:
    box = sb.Toolbox()
    await mcp.register(box, Server(**hints), effects={"search": declared} if declared else None)
    assert box.tools["search"].effect == effect


async def test_14_a_result_for_mcp_has_structured_content_only_when_it_is_good(box: sb.Toolbox) -> None:
    good = await box.call("search", {"city": "TYO"})
    bad = await box.call("pay", {"amount": 1})
    assert mcp.call_tool_result(good, has_output_schema=True)["structuredContent"] == {"result": ["TYO"]}
    assert mcp.call_tool_result(bad, has_output_schema=True) == {
        "content": [{"type": "text", "text": bad.for_model()}], "isError": True,
    }  # fmt: skip


async def test_15_every_tool_use_of_a_message_gets_exactly_one_result(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    content = [
        {"type": "text", "text": "Both at once."},
        {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"city": "TYO"}},
        SimpleNamespace(type="tool_use", id="toolu_2", name="pay", input={"amount": "much"}),
        {"type": "tool_use", "id": "toolu_3", "name": "serch", "input": {}},
    ]
    async with box.session(goal="g") as session:
        blocks = await anthropic.results(session, content)
        assert session.guard.rounds == 1
        assert [each.logical_id for each in session.journal.entries()] == ["toolu_1"]
    assert [block["tool_use_id"] for block in blocks] == ["toolu_1", "toolu_2", "toolu_3"]
    assert [block.get("is_error", False) for block in blocks] == [False, True, True]
    assert '"data":["TYO"]' in blocks[0]["content"]
    box.client.flush()
    assert console.calls[0]["reasoning"] == "Both at once."


def test_the_tools_are_what_the_api_takes(box: sb.Toolbox) -> None:
    first = anthropic.tools(box)[0]
    assert (first["name"], first["description"]) == ("search", "Find flights.")
    assert first["input_schema"]["properties"]["city"]["type"] == "string"

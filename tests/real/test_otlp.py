"""Real frameworks, real instrumentation, the real exporter, a real console: what is stored is what was recorded."""

import asyncio
import json

import pytest

from tests.real.record import FOLDER, SCENES, play
from tests.real.scenes import openai_agents
from tests.real.spans import Kept, exporter, tracing


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_stored_as_its_recording_says(console, name):
    kept = Kept()
    play(name, tracing(kept, exporter(console.url, console.agent(f"scene-{name}").key)))
    expected = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["calls"]
    stored = console.heard(*kept.traces())
    assert by_call(stored) == by_call(expected)


def by_call(calls):
    """Calls made at once start in any order."""
    return sorted(calls, key=lambda each: json.dumps([each["tool"], each["args"], each["outcome"]]))


def test_ancestors_that_come_after_the_call_name_its_agent_and_conversation(console, agent):
    """Each span in a request of its own, as soon as it ends: a parent always comes after its children."""
    kept = Kept()
    asyncio.run(openai_agents.run(tracing(kept, exporter(console.url, agent.key), one_by_one=True)))
    stored = console.heard(*kept.traces())
    assert {(call["agent"], call["session"]) for call in stored} == {("booker", "trip-77")}
    assert len(stored) == 5

"""Keeps what real instrumentation exports, as the recordings that the main suite reads: `python -m tests.real.record`.

Run it in .venv-real after a framework's new version, then look at the difference: `calls` of a recording says what the
console must make of it, and only a person writes that. Values that differ from run to run, and everything that a model
was told, are left out; ids stay as they were.
"""

import asyncio
import inspect
import json
import re
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from console.bootstrap.environment import ROOT
from tests.real.spans import Kept, tracing

FOLDER = ROOT / "tests" / "telemetry" / "domain" / "otlp" / "recorded"
SCENES = {
    "langgraph": ["langgraph", "langchain", "openinference-instrumentation-langchain"],
    "pydantic_ai": ["pydantic-ai-slim"],
    "openai_agents": ["openai-agents", "openinference-instrumentation-openai-agents"],
    "mcp": ["mcp"],
}
# What only a model was told, or what repeats the whole conversation.
LEFT_OUT = re.compile(
    r"llm\.|gen_ai\.(input|output)\.messages|gen_ai\.tool\.definitions|gen_ai\.usage|gen_ai\.aggregated|exception\.stacktrace|"
    r"ai\.(prompt|response|usage|request|settings|stream|finishReason)|logfire\.|model_request_parameters|pydantic_ai\.(all_messages|new_message)|final_result|graph\.node"
)
WHERE = re.compile(r'File \\?"[^"]*?(site-packages|tests)/')


def play(name: str, provider: Any) -> None:
    """Play a scene to its end, and have its spans written."""
    scene = import_module(f"tests.real.scenes.{name}")
    if hasattr(scene, "use"):
        scene.use(provider)
    played = scene.run(provider)
    if inspect.isawaitable(played):
        asyncio.run(played)  # type: ignore[arg-type]
    provider.force_flush()


def recorded(name: str) -> dict[str, Any]:
    """Give a scene's export, cleaned, with the versions that made it."""
    kept = Kept()
    play(name, tracing(kept))
    made_by = {package: metadata.version(package) for package in ["opentelemetry-sdk", *SCENES[name]]}
    return {"made_by": made_by, "traces": kept.traces(), "export": cleaned(kept.as_json())}


def from_node(file: Path) -> dict[str, Any]:
    """Give what JavaScript's exporter has sent, cleaned, with the versions that made it."""
    package = json.loads((ROOT / "tests" / "real" / "node" / "package.json").read_text(encoding="utf-8"))
    sent = json.loads(file.read_text(encoding="utf-8"))
    export = cleaned({"resourceSpans": [group for one in sent for group in one["resourceSpans"]]})
    spans = [
        one for group in export["resourceSpans"] for scoped in group["scopeSpans"] for one in scoped["spans"]
    ]
    began = sorted(spans, key=lambda each: int(each["startTimeUnixNano"]))
    return {
        "made_by": package["dependencies"],
        "traces": list(dict.fromkeys(one["traceId"] for one in began)),
        "export": export,
    }


def cleaned(export: dict[str, Any]) -> dict[str, Any]:
    """Leave out what no reader of tool calls needs."""
    for group in export["resourceSpans"]:
        for scoped in group["scopeSpans"]:
            for one in scoped["spans"]:
                _clean(one)
    return export


def _clean(span: dict[str, Any]) -> None:
    for holder in (span, *span.get("events", [])):
        holder["attributes"] = [
            {**pair, "value": _short(pair["value"])}
            for pair in holder.get("attributes", [])
            if not LEFT_OUT.match(pair["key"])
        ]
    kind: dict[str, Any] = next(
        (a["value"] for a in span["attributes"] if a["key"] == "openinference.span.kind"), {}
    )
    if kind.get("stringValue") == "LLM":
        span["attributes"] = [a for a in span["attributes"] if not a["key"].startswith(("input.", "output."))]
    message = span.get("status", {}).get("message")
    if message:
        span["status"]["message"] = WHERE.sub(r'File "\1/', message)[:600]


def _short(value: dict[str, Any]) -> dict[str, Any]:
    text = value.get("stringValue")
    return {"stringValue": f"{text[:3000]} …"} if isinstance(text, str) and len(text) > 4000 else value


def main(names: list[str]) -> None:
    """Write the recordings of these scenes, or of all; `name=FILE` takes what a script of `node/` has printed."""
    for each in names or SCENES:
        name, _, file = each.partition("=")
        path = FOLDER / f"{name}.json"
        before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        now = {**(from_node(Path(file)) if file else recorded(name)), "calls": before.get("calls", [])}
        path.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path.relative_to(ROOT), path.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])

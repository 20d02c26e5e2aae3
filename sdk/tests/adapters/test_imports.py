"""The SDK is light: the frameworks are imported by whoever uses them."""

import subprocess
import sys

FRAMEWORKS = (
    "langchain",
    "langchain_core",
    "langgraph",
    "agents",
    "pydantic_ai",
    "anthropic",
    "mcp",
    "openai",
)


def test_importing_the_sdk_imports_no_framework() -> None:
    code = (
        "import sys, switchboard, switchboard.adapters, switchboard.adapters.mcp, switchboard.adapters.anthropic;"
        f"print([m for m in {FRAMEWORKS!r} if m in sys.modules])"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"

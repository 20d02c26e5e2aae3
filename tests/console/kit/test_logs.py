import json
import logging
import sys

import pytest

from console.kit.logs import JsonLines, PlainLines


def failure():
    secret = "a key that must not be logged"  # noqa: F841  # what a frame holds is what must not be shown
    try:
        raise ZeroDivisionError("by zero")
    except ZeroDivisionError:
        return logging.LogRecord("console.x", logging.ERROR, __file__, 1, "it %s", ("broke",), sys.exc_info())


def test_a_json_line_is_one_object_with_time_level_and_name():
    line = JsonLines().format(
        logging.LogRecord("console.x", logging.WARNING, __file__, 1, "it %s", ("is",), None)
    )
    said = json.loads(line)
    assert (said["event"], said["level"], said["logger"]) == ("it is", "warning", "console.x")
    assert said["timestamp"].endswith("Z")
    assert "\n" not in line


@pytest.mark.parametrize("lines", [JsonLines, PlainLines])
def test_a_traceback_is_told_without_what_its_variables_held(lines):
    said = lines().format(failure())
    assert "ZeroDivisionError" in said
    assert "by zero" in said
    assert "a key that must not be logged" not in said

"""Whether a word in an answer claims that the call failed: `status: "error"`, `result_code: "FAIL"`."""

import re
from typing import Any

from telemetry.domain.classification.claims.vocabulary import SURE_WORDS, WORD_ROLES, WORDS_BAD, WORDS_GOOD
from telemetry.domain.classification.plain import key
from telemetry.domain.classification.words import read_code

OF_THE_ANSWER = ("RESULT_", "RESPONSE_", "REQUEST_", "SEARCH_", "QUERY_")
"""States that begin so are those of the answer, and not those of the object shown."""
_ERROR_WORD = re.compile(r"\b(?:an|with) errors?\b", re.IGNORECASE)


def word_claims(role: str, value: Any, *, writes: bool, record: bool, said: bool, size: int) -> bool:
    """`status: "error"`, `result_code: "FAIL"`, Google Maps' `status: "OVER_QUERY_LIMIT"`."""
    if writes and role.endswith("status") and isinstance(value, dict):
        role, value = "sendstatus", value.get("status")
    if writes and _tells_of_error(role, value):
        return True
    if not isinstance(value, str) or not value or not (role in WORD_ROLES or role.endswith("status")):
        return False
    word = key(value)
    if word in WORDS_GOOD:
        return False
    if word in WORDS_BAD:
        if writes or role in {"returncode", "resultcode", "ack"}:
            return True
        if role == "state" and not said:
            return False
        return not record and (word in SURE_WORDS or said)
    if writes and role.endswith("status") and role != "status":
        return _names_failure(value, 62)
    return not record and size <= 8 and _shouts(role, value)


def _shouts(role: str, value: str) -> bool:
    """`OVER_QUERY_LIMIT`, `RESULT_STATUS_FAILED`."""
    if "_" not in value or not value.isupper():
        return False
    if value.startswith(OF_THE_ANSWER) and value.endswith(("_FAILED", "_ERROR", "_FAILURE")):
        return True
    telling = {"status", "resultcode", "returncode", "resultstatus", "responsestatus"}
    return role in telling and _names_failure(value, 60)


def _names_failure(value: str, weight: int) -> bool:
    finding = read_code(value)
    return finding is not None and finding.weight >= weight


def _tells_of_error(role: str, value: Any) -> bool:
    """True for a status that is a sentence: `There was an error processing your activity`."""
    sentence = role == "status" and isinstance(value, str) and " " in value
    return sentence and _ERROR_WORD.search(value[:200]) is not None

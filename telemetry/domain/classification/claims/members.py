"""What one object's own members claim: flags, filled errors, numbers that are no zero, words such as failed."""

import re
from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.claims.spoken import word_claims
from telemetry.domain.classification.claims.vocabulary import (
    CODE_ENDS,
    ERRORS,
    FLAGS_BAD,
    FLAGS_GOOD,
    GOOD_CODES,
    GOOD_NUMBERS,
    NOTES,
    NUMBERS,
    SAYS,
    WORDS_GOOD,
    Members,
    is_good_word,
    is_record,
    is_shown,
    says,
)
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import blank, clip, integer, key, names, some
from telemetry.domain.classification.words import read_code

PROBED = names("up isup reachable healthy online alive resolvable")
"""What a probe found out about something else, whose status then stands beside it."""


def claims(body: Mapping[str, Any], *, writes: bool, fine: frozenset[str]) -> bool:
    """True where this object, taken alone, says that the call failed."""
    members = [(key(name), value) for name, value in some(body.items(), 60)]
    if any(role in PROBED and isinstance(value, bool) for role, value in members):
        return False
    flag = _flag(members)
    if flag is False or (len(body) <= 2 and _only_complains(members)):
        return writes or not _found_nothing(members)
    if flag is True and not any(
        role in ERRORS and isinstance(value, dict) and value for role, value in members
    ):
        return False
    if len(body) <= 4 and any(role in {"message", "msg"} and key(value) in NOT_OK for role, value in members):
        return True
    record = is_record(body, members) or (not writes and is_shown(members))
    said = any(says(role) and not blank(value) for role, value in members)
    shown = not writes and record and any(_is_state(role, value) for role, value in members)
    if _by_error(body, members, record=record, shown=shown):
        return True
    seen = Seen(members, fine, said=said, record=record, size=len(body))
    seen.shown = shown
    return any(seen.number_claims(role, value) for role, value in members) or any(
        word_claims(role, value, writes=writes, record=record, said=said, size=len(body))
        for role, value in members
    )


def _is_state(role: str, value: object) -> bool:
    return role.endswith(("status", "state")) and isinstance(value, str)


REPORTS = names(
    """
    valid isvalid errorcount warningcount checked score warnings passed findings issuecount numerrors
    """
)
"""What a check tells beside the errors that it found."""


def _is_report(members: Members) -> bool:
    return any(role in REPORTS and isinstance(value, bool | int | float | list) for role, value in members)


def _flag(members: Members) -> bool | None:
    """The object's own flag: worked (True), failed (False), or none."""
    found: bool | None = None
    for role, value in members:
        if role in FLAGS_GOOD:
            if _is_false(value) and not (value is not False and _counts(members)):
                return False
            found = True if _is_true(value) else found
        elif (role in FLAGS_BAD and value is True) or (role == "status" and value is False):
            return False
    return found


def _counts(members: Members) -> bool:
    """`"succeeded": 0` beside `"failed": 0` and `"total": 9` is a count and no flag."""
    return any(
        role in COUNTED and isinstance(value, int) and not isinstance(value, bool) for role, value in members
    )


NOT_OK = frozenset({"notok", "nok", "failed", "failure", "error"})
"""Messages that are nothing but a verdict."""
COUNTED = frozenset({"failed", "failures", "total", "pending", "running", "skipped", "rejected"})


def _found_nothing(members: Members) -> bool:
    """`"success": false, "error": false` without a word: an answer that has none, as Wolfram|Alpha gives it."""
    denied = any(role == "error" and value is False for role, value in members)
    return denied and not any(says(role) and isinstance(value, str) and value for role, value in members)


def _is_false(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in {"false", "n", "no", "0", "f"}
    return value is False or (isinstance(value, int) and value == 0)


def _is_true(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in {"true", "y", "yes", "1"}
    return value is True or (isinstance(value, int) and value == 1)


def _only_complains(members: Members) -> bool:
    """`{"Note": "…"}`: a body of nothing but one sentence that reads like a failure."""
    if not all(isinstance(value, str) for _, value in members) or not any(
        role in NOTES for role, _ in members
    ):
        return False
    first = [found for _, text in members if len(text) < 600 for found in read_text(text)[:1]]
    return any(finding.weight >= 62 and finding.cause is not Cause.NO_RESULTS for finding in first)


def _by_error(body: Mapping[str, Any], members: Members, *, record: bool, shown: bool) -> bool:
    """A filled error member, unless the object is a record that merely has one (a job with its last error)."""
    well = record or any(
        role == "status" and isinstance(value, str) and is_good_word(value) for role, value in members
    )
    reported = _is_report(members)
    for role, value in members:
        if role in ERRORS and _is_filled(role, value):
            if record and role in {"error", "errors", "lasterror", "errormessage", "exception"}:
                continue
            if (well and role == "lasterror") or (shown and role == "errorcode"):
                continue
            if reported and role == "errors" and isinstance(value, list):
                continue
            return True
    marked = (body.get("type") == "error" and not record) or body.get("object") == "error" or "__type" in body
    return marked or (body.get("kind") == "Status" and body.get("status") == "Failure")


def _is_filled(role: str, value: Any) -> bool:
    """True for an error member that says something: not null, not zero, not `ok`."""
    if blank(value) or value is False or value == 0:
        return False
    if isinstance(value, str):
        return not is_good_word(value) and not (integer(value) is not None and role in NUMBERS)
    if isinstance(value, list | tuple):
        if role == "exceptions":
            return any(
                isinstance(one, dict) and any(says(key(name)) for name in one) for one in some(value, 20)
            )
        return not all(blank(one) or one == 0 for one in some(value, 20))
    if isinstance(value, dict):
        spoken = role != "errorlist" or any(says(key(name)) or key(name) in NUMBERS for name in value)
        return spoken and not _says_fine(value)
    return integer(value) is None or role not in NUMBERS


def _says_fine(value: Mapping[str, Any]) -> bool:
    """`"error": {"code": "ok", "message": ""}` and `{"code": 0}`."""
    members = [(key(name), inner) for name, inner in some(value.items(), 40)]
    code = next(
        (inner for role, inner in members if role in {"code", "errorcode", "status", "errcode"}), None
    )
    if code is None or clip(code, 40).lower() not in GOOD_CODES:
        return False
    texts = [inner for role, inner in members if role in SAYS and isinstance(inner, str) and inner.strip()]
    return all(key(text) in WORDS_GOOD for text in texts)


_SUCCEEDED = re.compile(r"(?<!un)(?<!not )\bsuccessful(?:ly)?\W*$", re.IGNORECASE)
SURE_NUMBERS = frozenset({"infocode", "subcode", "statuscode", "resultcode", "respcode", "rspcode"})


class Seen:
    """One object's members while their numbers and words are weighed."""

    __slots__ = ("bad", "fine", "members", "record", "said", "shown", "size")

    def __init__(
        self, members: Members, fine: frozenset[str], *, said: bool, record: bool, size: int
    ) -> None:
        self.members = members
        self.fine = fine
        self.said = said
        self.record = record
        self.size = size
        self.bad: bool | None = None
        self.shown = False

    def number_claims(self, role: str, value: Any) -> bool:
        """A code that is none of the usual zeroes, beside a message or alone."""
        if not (role in NUMBERS or role.endswith(CODE_ENDS)) or isinstance(value, bool | dict | list):
            return False
        text = clip(value, 60).strip()
        plain = text.lower()
        if not plain or plain in self.fine or key(text) in WORDS_GOOD:
            return False
        denied = role.startswith("err") and self.said and plain.strip("0") and self.message_is_bad()
        if not self.fine and plain in GOOD_CODES and not denied:
            return False
        number = integer(text)
        if self._plainly(role, text, number):
            return True
        if self.shown and role.startswith("error"):
            return False
        stored = self.record or (role == "status" and plain.isalpha() and read_code(text) is None)
        if self.said and (number is not None or not stored) and self.message_is_bad():
            return True
        return self._by_number(role, number) if number is not None else self._by_code(role, text)

    def _plainly(self, role: str, text: str, number: int | None) -> bool:
        """An error's own number, an HTTP status alone, a sub-code."""
        if role.startswith("err") and role.endswith(("code", "no", "num", "id", "number")) and not self.shown:
            if number is None:
                return len(text) <= 40
            return number not in GOOD_NUMBERS or (number != 0 and self.message_is_bad())
        if number is not None and 400 <= number <= 599 and self.size <= 3:
            return role in {"code", "status", "cod", "statuscode"}
        return role in {"subcode", "subresultcode"} and self.said

    def _by_number(self, role: str, number: int) -> bool:
        if number in GOOD_NUMBERS and not self.fine:
            return False
        if role in {"status", "code", "statuscode"} and 200 <= number < 300:
            return False
        if role in {"status", "result", "rc", "resulttype"} and (number == 1 or not self.said):
            return False
        sure = role.startswith(("err", "ret")) or role in SURE_NUMBERS
        return (self.said or (sure and number != 1)) and not self._message_is_good()

    def _by_code(self, role: str, text: str) -> bool:
        if not self.said:
            return False
        if role.startswith(("err", "ret")) or role in SURE_NUMBERS:
            own = self.record and role in {"error", "lasterror"}
            return not own and read_code(text) is not None
        shouted = text.isupper() or "." in text or "_" in text
        return role == "code" and shouted and self.size <= 8 and not self.record

    def message_is_bad(self) -> bool:
        """A sentence beside the code that reads like a failure; read once."""
        if self.bad is None:
            texts = [
                value
                for role, value in self.members
                if says(role)
                and isinstance(value, str)
                and 0 < len(value) < 300
                and key(value) not in WORDS_GOOD
            ]
            found = [finding for text in texts[:3] for finding in read_text(text)]
            self.bad = any(one.weight >= 55 and one.cause is not Cause.NO_RESULTS for one in found)
        return self.bad

    def _message_is_good(self) -> bool:
        texts = [
            value for role, value in self.members if role in SAYS and isinstance(value, str) and value.strip()
        ]
        return bool(texts) and all(is_good_word(text) or _SUCCEEDED.search(text[:200]) for text in texts)

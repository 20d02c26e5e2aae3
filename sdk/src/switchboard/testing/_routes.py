"""The fake console's HTTP: the console's routes over memory, with the console's refusals."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import ValidationError

from switchboard._transport import Answer, Request
from switchboard.testing._book import Book, FakeCase, No
from switchboard.wire import Call, Package, StepResult

MOST_CALLS = 1_000


class Routes:
    """Answers requests. Shared by the in-memory console and by servers that tests put in front of it."""

    def __init__(self) -> None:
        self.book: Book = Book()
        self.calls: list[dict[str, Any]] = []
        self.breaker_events: list[dict[str, Any]] = []
        self.breaker_acks: list[dict[str, Any]] = []
        self.heartbeats: list[dict[str, Any]] = []
        self.orders: list[dict[str, Any]] = []
        self.requests: list[Request] = []
        self.on_open: Callable[[FakeCase], object] | None = None
        self.on_revise: Callable[[FakeCase], object] | None = None
        self._revs: dict[str, int] = {}

    def answer(self, request: Request) -> Answer:
        """Give what the console would say."""
        self.requests.append(request)
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        try:
            status, said = self._route(request.method, unquote(parts.path), query, _body(request))
        except No as no:
            status, said = no.status, no.wire()
        body = b"" if said is None else json.dumps(said).encode("utf-8", "replace")
        return Answer(status, {"content-type": "application/json"}, body)

    def _route(
        self, method: str, path: str, query: Mapping[str, str], said: dict[str, Any]
    ) -> tuple[int, Any]:
        for verb, pattern, handler in self._table():
            found = re.fullmatch(pattern, path)
            if found and verb == method:
                return handler(query, said, *found.groups())
        raise No(404, "NOT_FOUND", f"There is no {method} {path}.")

    def _table(self) -> tuple[tuple[str, str, Callable[..., tuple[int, Any]]], ...]:
        case = "/api/v1/escalations/([^/]+)"
        return (
            ("POST", "/api/v1/calls", self._calls),
            ("POST", "/api/v1/breakers/events", self._events),
            ("PUT", "/api/v1/breakers/instances/([^/]+)", self._heartbeat),
            ("GET", "/api/v1/breakers/commands", self._commands),
            ("POST", "/api/v1/breakers/commands/ack", self._breaker_ack),
            ("POST", "/api/v1/escalations", self._open),
            ("GET", "/api/v1/escalations", self._list),
            ("GET", case, self._case),
            ("PUT", case, self._revise),
            ("GET", f"{case}/decision", self._decision),
            ("POST", f"{case}/ack", self._ack),
            ("POST", f"{case}/outcome", self._outcome),
            ("POST", f"{case}/cancel", self._cancel),
        )

    # -- facts --------------------------------------------------------------------------------------------------

    def _calls(self, _: object, said: dict[str, Any]) -> tuple[int, Any]:
        calls = said.get("calls")
        if not isinstance(calls, list) or not 1 <= len(calls) <= MOST_CALLS:
            raise No(422, "MALFORMED", "`calls` is a list of 1 to 1,000.")
        counts = {"accepted": 0, "duplicate": 0, "corrected": 0}
        rejected = []
        for index, call in enumerate(calls):
            wrong = _wrong(call)
            if wrong:
                known = call.get("call_id") if isinstance(call, dict) else None
                no: dict[str, Any] = {
                    "index": index,
                    "call_id": known,
                    "code": "MALFORMED",
                    "detail": wrong,
                    "errors": [],
                }
                rejected.append(no)
                continue
            counts[self._store(call)] += 1
        return (207 if rejected else 200), {**counts, "rejected": rejected}

    def _store(self, call: dict[str, Any]) -> str:
        call_id, rev = call["call_id"], call.get("rev", 0)
        before = self._revs.get(call_id)
        if before is not None and rev <= before:
            return "duplicate"
        self._revs[call_id] = rev
        if before is None:
            self.calls.append(call)
            return "accepted"
        self.calls[:] = [call if each["call_id"] == call_id else each for each in self.calls]
        return "corrected"

    def _events(self, _: object, said: dict[str, Any]) -> tuple[int, Any]:
        known = {each["event_id"] for each in self.breaker_events}
        fresh = [each for each in said["events"] if each["event_id"] not in known]
        self.breaker_events.extend(fresh)
        return 200, {"accepted": len(fresh), "duplicate": len(said["events"]) - len(fresh), "rejected": []}

    def _heartbeat(self, _: object, said: dict[str, Any], instance: str) -> tuple[int, Any]:
        self.heartbeats.append({"instance": instance, **said})
        newest = max((each["number"] for each in self.orders), default=0)
        return 200, {"instance": instance, "stale_after_s": 30, "commands_after": newest, "ignored": False}

    def _commands(self, query: Mapping[str, str], _: object) -> tuple[int, Any]:
        after = int(query.get("after", "0"))
        orders = [each for each in self.orders if each["number"] > after]
        return 200, {"commands": orders, "after": max((each["number"] for each in orders), default=after)}

    def _breaker_ack(self, _: object, said: dict[str, Any]) -> tuple[int, Any]:
        self.breaker_acks.append(said)
        return 200, said

    # -- decisions ----------------------------------------------------------------------------------------------

    def _open(self, _: object, said: dict[str, Any]) -> tuple[int, Any]:
        if not isinstance(said.get("key"), str):
            raise No(422, "MALFORMED", "`key` is missing.")
        _check_package({name: value for name, value in said.items() if name != "key"})
        case, new = self.book.open(said)
        if new and self.on_open is not None:
            self.on_open(case)
        return (201 if new else 200), case.wire()

    def _list(self, query: Mapping[str, str], _: object) -> tuple[int, Any]:
        cases = [each for each in self.book.cases if query.get("key") in {None, each.key}]
        return 200, {"escalations": [each.wire() for each in cases], "after": None}

    def _case(self, _: object, __: object, case_id: str) -> tuple[int, Any]:
        return 200, self.book.find(case_id).wire()

    def _revise(self, _: object, said: dict[str, Any], case_id: str) -> tuple[int, Any]:
        package = {name: value for name, value in said.items() if name != "base_revision"}
        _check_package(package)
        case = self.book.find(case_id)
        row = self.book.revise(case, said["base_revision"], package, self.now())
        if row is not None:
            self.push(row)
        if self.on_revise is not None:
            self.on_revise(case)
        return 200, case.wire()

    def _decision(self, query: Mapping[str, str], _: object, case_id: str) -> tuple[int, Any]:
        case = self.book.find(case_id)
        row = case.rows.get(int(query.get("revision", case.revision)))
        return (204, None) if row is None else (200, row)

    def _ack(self, _: object, said: dict[str, Any], case_id: str) -> tuple[int, Any]:
        self.book.ack(self.book.find(case_id), said)
        return 200, {"escalation_id": case_id, **said}

    def _outcome(self, _: object, said: dict[str, Any], case_id: str) -> tuple[int, Any]:
        for step in said.get("steps", ()):
            _valid(StepResult, step)
        case = self.book.find(case_id)
        new = self.book.outcome(case, said)
        return 200, {"report_id": said["report_id"], "execution": case.execution, "duplicate": not new}

    def _cancel(self, _: object, said: dict[str, Any], case_id: str) -> tuple[int, Any]:
        case = self.book.find(case_id)
        self.ended(case, "cancelled", str(said.get("reason", "")))
        return 200, case.wire()

    # -- what the one or the other kind of fake adds ------------------------------------------------------------

    def now(self) -> datetime:
        """The time on the console's wall."""
        raise NotImplementedError

    def push(self, row: Mapping[str, Any]) -> None:
        """Hand a row to whoever waits for it."""
        raise NotImplementedError

    def ended(self, case: FakeCase, kind: str, message: str) -> dict[str, Any]:
        """Write and hand out the row of an end that nobody decided."""
        row = self.book.end(case, kind, self.now(), message)
        self.push(row)
        return row


def _body(request: Request) -> dict[str, Any]:
    body = request.body or b""
    if request.headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    if not body:
        return {}
    try:
        said = json.loads(body)
    except ValueError as exc:
        raise No(422, "MALFORMED", "The body is no JSON.") from exc
    if not isinstance(said, dict):
        raise No(422, "MALFORMED", "The body is no object.")
    return said


def _wrong(call: object) -> str:
    if not isinstance(call, dict):
        return "A call is an object."
    missing = [
        name for name in ("call_id", "trace_id", "tool", "side_effect", "started_at") if name not in call
    ]
    if missing:
        return f"Missing: {', '.join(missing)}."
    try:
        Call.model_validate(call)
    except ValidationError as exc:
        return _said(exc)
    return ""


def _check_package(said: dict[str, Any]) -> None:
    _valid(Package, said)


def _valid(model: type[Package | StepResult], said: Mapping[str, Any]) -> None:
    try:
        model.model_validate(said)
    except ValidationError as exc:
        raise No(422, "MALFORMED", _said(exc)) from exc


def _said(exc: ValidationError) -> str:
    each = exc.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in each)

"""Results per item: how many worked, how many failed, and what the failed ones say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from telemetry.domain.classification.plain import blank, clip, integer, key, mapping, names, some
from telemetry.domain.classification.sight import Sight

MAX_ITEMS = 2_000
_PART = re.compile(r"^HTTP/\d(?:\.\d)? (\d{3})", re.MULTILINE)

OK_LISTS = names(
    """
    successful success succeeded successes created updated processed accepted valid inserted results sent
    delivered imported deleted newmembers updatedmembers issues ids completed done data items acknowledged
    added ok okitems applied upserted documents records rows objects processeditems successlist
    succeededitems successitems succeedlist okids saved enqueued resultlist affectedids members
    """
)
BAD_LISTS = names(
    """
    failed failures failure errors error rejected rejections invalid failedrecords unprocesseditems
    unprocessedkeys unprocessed inserterrors notfound failedrequests faileditems faillist errorlist
    invalidrecords badrecords skippedwitherrors undelivered failedids missing invaliduser invalidparty
    invalidtag unlicenseduser errorids deadletter partialfailures partialerrors partialfailureerror
    failedentries rejectedrecords unsuccessful denied conflicts notprocessed failedmessages
    rejectedrecipients invalidrecipients notdelivered unknownitems removederrors writeerrors failedrows
    errorrows rejecteditems failednodes unresolved notupserted exceptions
    """
)
OK_COUNTS = names(
    """
    successcount succeeded successful oksize okcount numsuccess numsuccessful succeededcount successfulcount
    totalcreated createdcount insertedcount sentcount acceptedcount processedcount numsucceeded successnum
    success totalsuccess oknum updatedcount created updated inserted deleted delivered sent processed
    accepted imported passed ok nsuccess indexed successes modifiedcount upsertedcount deletedcount
    ninserted nmodified nupserted nremoved totalsuccessful recordsprocessed numinserted
    """
)
BAD_COUNTS = names(
    """
    failurecount failedcount failed failures errorcount numfailed numerrors failedrecordcount failnum
    failcount errorscount totalfailed rejectedcount totalerrors failednum numfailures nfailed unsuccessful
    failedputcount rejected errors invalidcount numberofrecordsfailed failedentrycount recordsfailed
    numrejected failuresize totalfailures numerror failure
    """
)
ITEM_LISTS = names(
    """
    results items responses records data messages recipients files documents objects entries rows values
    operations details tasks requests statuses response result resultlist itemresults batch batchresponse
    notifications replies transactions orders payments contacts emails tickets hasresults list devices
    output outputs multistatus subresponses compositeresponse jobs createresults body children resources ops
    payload content reports info targets receipts
    """
)
ITEM_GOOD = names(
    """
    success succeeded successful ok created updated sent delivered accepted queued completed complete done
    deleted processed inserted noop finished passed enqueued scheduled indexed upserted fulfilled added
    saved imported approved merged applied active true captured subscribed
    """
)
ITEM_BAD = names(
    """
    error failed failure fail errored rejected invalid undelivered denied refused unprocessed notfound
    not_found exception err declined aborted bounced unsuccessful timedout conflict blocked expired
    skippederror
    """
)


@dataclass(slots=True)
class Tally:
    """How a batch ended."""

    ok: int | None = 0
    failed: int | None = 0
    said: list[Any] = field(default_factory=list)
    """What the failed items say."""
    rule: str = ""

    @property
    def mixed(self) -> bool:
        """At least one worked and at least one failed."""
        return self.ok != 0 and self.failed != 0

    @property
    def all_failed(self) -> bool:
        """Nothing worked and something failed."""
        return self.ok == 0 and self.failed != 0


def tally(sight: Sight) -> Tally | None:
    """The results per item that the evidence holds, or None where it is no batch or all of it worked."""
    if reported := _reported(sight):
        return reported
    body = sight.body
    if isinstance(body, list):
        return _of_list(body, sight)
    if isinstance(body, dict):
        return _of_object(body, sight)
    return _of_multipart(sight.text)


def _reported(sight: Sight) -> Tally | None:
    """Items as the agent itself reports them."""
    items = sight.evidence.items
    if not items or not isinstance(items, list | tuple):
        return None
    found = Tally(rule="items/reported")
    for item in some(items, MAX_ITEMS):
        status = item.get("status") if isinstance(item, dict) else None
        if status == "succeeded":
            found.ok = (found.ok or 0) + 1
        elif status == "failed":
            found.failed = (found.failed or 0) + 1
            found.said.append(item.get("failure"))
    return found if found.failed else None


def _of_multipart(text: str) -> Tally | None:
    """`multipart/mixed` answers to batch requests."""
    if "HTTP/1" not in text[:4_000] or text.count("HTTP/1") < 2:
        return None
    found = Tally(rule="items/multipart")
    for part in re.split(r"(?m)^--", text[:100_000])[:MAX_ITEMS]:
        if status := _PART.search(part):
            if int(status.group(1)) < 400:
                found.ok = (found.ok or 0) + 1
            else:
                found.failed = (found.failed or 0) + 1
                found.said.append({"status": int(status.group(1)), "message": part[:400]})
    return found if found.failed else None


def _of_object(body: Mapping[str, Any], sight: Sight, depth: int = 0) -> Tally | None:
    names = {key(name) for name in some(body, 60)}
    quiet = names.isdisjoint(WARNING) and not any(_names_refused(name) for name in names)
    for read in (
        ()
        if quiet
        else (
            _by_words,
            _by_graphql,
            _by_unprocessed,
            _by_insert_errors,
            _by_lists,
            _by_counts,
            _by_recipients,
        )
    ):
        if found := read(body, sight):
            return found
    for name, value in some(body.items(), 40):
        if (
            isinstance(value, list)
            and value
            and _holds_items(key(name), sight)
            and (found := _of_list(value, sight))
        ):
            return found
        if (
            isinstance(value, dict)
            and key(name) in ITEM_LISTS
            and len(value) > 1
            and (found := _of_keyed(value, sight))
        ):
            return found
    if depth < 2:
        for name, value in some(body.items(), 20):
            if (
                isinstance(value, dict)
                and (len(body) <= 6)
                and key(name) not in {"error", "extensions", "_shards"}
                and (found := _of_object(value, sight, depth + 1))
            ):
                return found
    return None


_PARTLY = re.compile(r"\bpartial (?:write|success|failure)\b", re.IGNORECASE)
_DROPPED = re.compile(r"\bdropped[=: ]{1,2}(\d{1,9})")


def _by_words(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """`partial write: … dropped=1`, as InfluxDB says it."""
    for name, value in some(body.items(), 20):
        if (
            key(name) in {"message", "error", "msg", "detail"}
            and isinstance(value, str)
            and _PARTLY.search(value[:600])
        ):
            dropped = _DROPPED.search(value[:2_000])
            return Tally(
                ok=None,
                failed=int(dropped.group(1)) if dropped else None,
                said=[value[:400]],
                rule="items/partial-write",
            )
    return None


WARNING = (
    BAD_LISTS
    | BAD_COUNTS
    | names(
        """
    message msg detail unprocesseditems unprocessedkeys inserterrors invaliduserlist invalidreceivers
    failedreceivers refused invaliduserids invaliddepartmentids invaliduseridlist forbiddenuserid
    forbiddenuseridlist
    """
    )
)
"""An object without any of these names tells of no failed item itself."""


WORKED = (
    "imported",
    "inserted",
    "created",
    "updated",
    "processed",
    "accepted",
    "succeeded",
    "delivered",
    "sent",
    "successful",
    "successcount",
    "okcount",
)


def _holds_items(role: str, sight: Sight) -> bool:
    """True for keys under which a batch answers; for writes any list may."""
    return (
        role in ITEM_LISTS
        or role.endswith(("results", "responses", "statuses", "items", "entries"))
        or not sight.reads
    )


def _by_graphql(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """`data` and `errors` side by side: each root field is an item."""
    errors = body.get("errors")
    data = body.get("data")
    if not isinstance(errors, list) or not errors or not isinstance(data, dict | list) or not data:
        return None
    if isinstance(data, list):
        return Tally(ok=len(data), failed=len(errors), said=some(errors, 20), rule="items/data-and-errors")
    paths = {
        path[0]
        for one in some(errors)
        if isinstance(one, dict)
        and isinstance(path := one.get("path"), list)
        and path
        and isinstance(path[0], str)
    }
    ok = [name for name, value in data.items() if _holds(value) and name not in paths]
    null = [name for name, value in data.items() if value is None]
    if not ok and not [name for name, value in data.items() if value is not None and _holds(value)]:
        return Tally(ok=0, failed=max(len(null), 1), said=some(errors, 20), rule="items/graphql")
    failed = len(null) or len(paths) or len(errors)
    return Tally(ok=len(ok) or 1, failed=failed, said=some(errors, 20), rule="items/graphql")


def _holds(value: object) -> bool:
    """True where a part of an answer holds anything but nulls and empty lists."""
    if isinstance(value, dict):
        return any(_holds(inner) for inner in some(value.values(), 40))
    if isinstance(value, list):
        return any(_holds(inner) for inner in some(value, 20))
    return value is not None


def _by_unprocessed(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """DynamoDB's batches hand back what they did not do."""
    for name in ("UnprocessedItems", "UnprocessedKeys"):
        left = mapping(body.get(name))
        if not left:
            continue
        failed = sum(
            len(table)
            if isinstance(table, list)
            else len(table.get("Keys", ()))
            if isinstance(table, dict) and isinstance(table.get("Keys", ()), list)
            else 1
            for table in left.values()
        )
        asked = asked_for(sight)
        got = body.get("Responses")
        ok: int | None = (
            sum(len(rows) for rows in got.values() if isinstance(rows, list))
            if isinstance(got, dict)
            else None
        )
        if ok is None:
            ok = max(asked - failed, 0) if asked else None
        throttled = {"code": "ThrottlingException"}
        return Tally(ok=ok, failed=failed, said=[throttled], rule=f"items/{name}")
    return None


def _by_insert_errors(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """BigQuery's streaming inserts name the failed rows; without skipInvalidRows one bad row stops all."""
    errors = body.get("insertErrors")
    if not isinstance(errors, list) or not errors:
        return None
    asked = asked_for(sight) or 0
    indexes = {one.get("index") for one in some(errors) if isinstance(one, dict)}
    stopped = [one for one in some(errors) if "stopped" in str(one)[:400]]
    said = [one for one in some(errors) if one not in stopped]
    ok = 0 if stopped or asked <= len(indexes) else asked - len(indexes)
    return Tally(
        ok=ok, failed=len(indexes) or len(errors), said=said or some(errors), rule="items/insertErrors"
    )


def _size(value: object) -> int | None:
    if isinstance(value, dict | list):
        return len(value)
    if isinstance(value, str):
        return len([part for part in re.split(r"[|,;]", value[:2_000]) if part.strip()])
    return None


def _by_lists(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Two lists side by side: `Successful` and `Failed`, `issues` and `errors`."""
    good = {
        key(name): value
        for name, value in some(body.items(), 60)
        if isinstance(value, list) and key(name) in OK_LISTS
    }
    bad = {
        key(name): value
        for name, value in some(body.items(), 60)
        if isinstance(value, list | dict) and key(name) in BAD_LISTS and value
    }
    worked = next(
        (
            count
            for name, value in some(body.items(), 60)
            if (key(name) in OK_COUNTS or key(name).endswith(WORKED))
            and not isinstance(value, dict | list)
            and (count := integer(value)) is not None
        ),
        None,
    )
    if not bad or (not good and not worked):
        return None
    name, failures = next(iter(bad.items()))
    if (
        name in {"errors", "error", "missing", "notfound"}
        and "success" in body
        and body.get("success") is False
    ):
        return None
    if (
        name in {"missing", "unresolved"}
        and sight.reads
        and not any(one in sight.words for one in BATCH_WORDS)
    ):
        return None
    ok = sum(len(value) for value in good.values()) or worked or 0
    failed = _failed_count(body) or _context_count(failures) or len(failures)
    said = some(failures, 20) if isinstance(failures, list) else [failures]
    return Tally(ok=ok, failed=failed, said=said, rule="items/lists")


def _context_count(failures: object) -> int | None:
    """HubSpot puts several missing ids under one error."""
    if isinstance(failures, list) and len(failures) == 1 and isinstance(failures[0], dict):
        ids = (mapping(failures[0].get("context")) or {}).get("ids")
        return len(ids) if isinstance(ids, list) and ids else None
    return None


def _failed_count(body: Mapping[str, Any]) -> int | None:
    counts = [
        integer(value)
        for name, value in some(body.items(), 60)
        if key(name) in BAD_COUNTS and not isinstance(value, dict | list)
    ]
    return next((count for count in counts if count), None)


def _by_counts(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Counters: `successCount` and `failureCount`, `FailedRecordCount` beside `Records`."""
    failed = _failed_count(body)
    if not failed or failed < 0:
        return None
    strong = any(key(name) in COUNTERS for name in some(body, 60))
    ok = next(
        (
            count
            for name, value in some(body.items(), 60)
            if key(name) in OK_COUNTS and (count := integer(value)) is not None
        ),
        None,
    )
    listed = [
        value
        for name, value in some(body.items(), 60)
        if isinstance(value, list) and key(name) in ITEM_LISTS | OK_LISTS | BAD_LISTS and value
    ]
    if not strong and (ok is None or sight.reads):
        return None
    if ok is None and listed and len(listed[0]) >= failed:
        ok = len(listed[0]) - failed
    if ok is None:
        total = next(
            (
                count
                for name, value in some(body.items(), 60)
                if key(name) in TOTALS and (count := integer(value)) is not None
            ),
            None,
        ) or asked_for(sight)
        ok = max(total - failed, 0) if total else None
    said = [one for one in some(listed[0], 200) if _failed(one) is not False] if listed else []
    return Tally(ok=ok, failed=failed, said=said, rule="items/counts")


COUNTERS = names(
    """
    failurecount failedcount failedrecordcount numfailed numerrors failcount failnum errorcount
    failedputcount failedentrycount totalfailed rejectedcount numfailures failuresize totalerrors failednum
    numberofrecordsfailed recordsfailed nfailed totalfailures numrejected
    """
)
TOTALS = names(
    """
    total totalcount count requested totalrecords size totalitems recordcount totalsize attempted submitted
    numrecords
    """
)
BATCH_WORDS = names(
    """
    batch bulk multi mget many all each send transfer import upload sync messages notifications multicast
    broadcast mass records items
    """
)


def _names_refused(role: str) -> bool:
    """`invalid_player_ids`, `failedRecipients`, `rejected_numbers`."""
    return role.startswith(("invalid", "failed", "rejected", "refused", "unknown")) and role.endswith(
        ("ids", "users", "recipients", "tokens", "numbers", "emails", "receivers", "addresses")
    )


def _by_recipients(body: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Lists of refused receivers in one text: WeCom's `invaliduser`, SMTP's refused recipients."""
    nested = mapping(body.get("errors")) or {}
    refused = [
        (name, _size(value))
        for name, value in [*some(body.items(), 40), *some(nested.items(), 20)]
        if _names_refused(key(name))
        or key(name)
        in {
            "invaliduser",
            "invaliduserlist",
            "invalidparty",
            "invalidtag",
            "invalidreceivers",
            "failedreceivers",
            "rejectedrecipients",
            "refused",
            "invaliduserids",
            "invaliddepartmentids",
            "invaliduseridlist",
            "forbiddenuserid",
            "forbiddenuseridlist",
        }
    ]
    failed = sum(size for _, size in refused if size)
    if not failed:
        return None
    counted = next(
        (
            count
            for name, value in some(body.items(), 40)
            if key(name) in {"recipients", "sent", "accepted"} and (count := integer(value)) is not None
        ),
        None,
    )
    if counted is not None:
        return Tally(
            ok=counted, failed=failed, said=[{"message": "recipient not found"}], rule="items/receivers"
        )
    receivers = next(
        (
            size
            for name, value in some(sight.args.items(), 40)
            if key(name)
            in {
                "touser",
                "to",
                "recipients",
                "userids",
                "users",
                "receivers",
                "useridlist",
                "openids",
                "receiveids",
                "ids",
                "tokens",
                "numbers",
                "emails",
            }
            and (size := _size(value))
        ),
        None,
    )
    ok = max(receivers - failed, 0) if receivers else None
    return Tally(ok=ok, failed=failed, said=[{"message": "recipient not found"}], rule="items/receivers")


def _of_list(items: list[Any], sight: Sight) -> Tally | None:
    """A list whose members say for themselves whether they worked."""
    verdicts = [_failed(item) for item in some(items, MAX_ITEMS)]
    failed = sum(1 for verdict in verdicts if verdict)
    if not failed:
        return None
    ok = sum(1 for verdict in verdicts if verdict is False)
    silent = len(verdicts) - failed - ok
    if sight.reads and not _is_batch(items, verdicts, sight):
        return None
    said = [item for item, verdict in zip(some(items, MAX_ITEMS), verdicts, strict=False) if verdict]
    return Tally(ok=ok + silent, failed=failed, said=said[:20], rule="items/list")


def _of_keyed(items: Mapping[str, Any], sight: Sight) -> Tally | None:
    """Results under the items' own keys: `{"a": {"status": "ok"}, "b": {"error": …}}`."""
    values = [value for value in some(items.values(), MAX_ITEMS) if isinstance(value, dict)]
    if len(values) != len(items):
        return None
    return _of_list(values, sight)


def _is_batch(items: list[Any], verdicts: list[bool | None], sight: Sight) -> bool:
    """For reads a failed item needs more than a word: stored objects have states such as failed as well."""
    if sight.status == 207 or any(word in BATCH_WORDS for word in sight.words):
        return True
    return any(
        verdict and isinstance(item, dict) and _carries_error(item)
        for item, verdict in zip(items, verdicts, strict=False)
    )


def _carries_error(item: Mapping[str, Any]) -> bool:
    for name, value in some(item.items(), 30):
        role = key(name)
        if (
            role in {"error", "errors", "errorcode", "fault"}
            and not blank(value)
            and value is not False
            and (isinstance(value, dict | list) or not _has_state(item))
        ):
            return True
        if role in {"ok", "success", "iserror"} and isinstance(value, bool):
            return True
        if role == "status" and len(item) <= 4 and key(value) in {"err", "error"}:
            return True
        if (
            role in {"status", "statuscode", "code", "httpstatuscode", "httpstatus"}
            and (status := integer(value))
            and 400 <= status <= 599
        ):
            return True
    return False


def _has_state(item: Mapping[str, Any]) -> bool:
    """A stored object's last error stands beside its state and its dates."""
    names = {key(name) for name in some(item, 40)}
    return bool(
        names
        & {"state", "createdat", "startedat", "finishedat", "updatedat", "created", "retries", "attempts"}
    )


def _failed(item: object, depth: int = 0) -> bool | None:
    """Whether one item failed (True), worked (False) or does not say (None)."""
    if not isinstance(item, dict) or depth > 2:
        return None
    verdict: bool | None = None
    for name, value in some(item.items(), 40):
        said = _member(key(name), value)
        if said is True:
            return True
        verdict = said if verdict is None else verdict
    if verdict is None:
        for name in (
            "result",
            "status",
            "response",
            "index",
            "create",
            "update",
            "delete",
            "body",
            "outcome",
            "Result",
        ):
            inner = item.get(name)
            if isinstance(inner, dict) and (said := _failed(inner, depth + 1)) is not None:
                return said
    return verdict


def _member(role: str, value: object) -> bool | None:
    """What one member of an item says about it."""
    if role in {"success", "ok", "succeeded", "issuccess", "successful"} and isinstance(value, bool):
        return not value
    if role in {"iserror", "failed", "haserror", "errored"} and isinstance(value, bool):
        return value
    if role in {
        "error",
        "errors",
        "errorcode",
        "errormessage",
        "errortext",
        "fault",
        "errmsg",
        "errordetails",
        "failurereason",
    }:
        if role == "errors" and isinstance(value, list | dict) and not value:
            return False
        return (
            None
            if blank(value) or value is False or value == 0 or key(value) in {"none", "ok", "success", "0"}
            else True
        )
    if role == "scode":
        return clip(value, 20) not in {"0", ""}
    if role in {"groupname", "statusname"}:
        return key(value) in ITEM_BAD
    if role in {
        "status",
        "statuscode",
        "code",
        "httpstatuscode",
        "httpstatus",
        "httpcode",
        "errcode",
        "resultcode",
        "result",
        "outcome",
        "state",
    }:
        number = integer(value)
        if number is not None:
            return (
                True
                if 400 <= number <= 599
                else False
                if 200 <= number < 300 or (number == 0 and role != "state")
                else True
                if role in {"errcode", "resultcode"}
                else None
            )
        word = key(value)
        return (
            True
            if word in ITEM_BAD or word.endswith(("error", "failed", "exception"))
            else False
            if word in ITEM_GOOD
            else None
        )
    return None


def asked_for(sight: Sight) -> int | None:
    """How many items the call asked for: the longest list of the arguments, or a count in their place."""
    lists = [len(value) for value in some(sight.args.values(), 40) if isinstance(value, list | tuple)]
    if lists:
        return max(lists)
    counts = [
        value
        for name, value in some(sight.args.items(), 40)
        if isinstance(value, int)
        and not isinstance(value, bool)
        and 0 < value <= 100_000
        and key(name) in COUNT_ARGS
    ]
    return max(counts, default=None)


COUNT_ARGS = names(
    """
    records items messages rows entries putitems objects members documents files recipients count issues
    users contacts events operations requests keys ids tokens points vectors children emails tickets orders
    deleteitems actions lines products payments
    """
)

"""Whether a body says of itself that the call failed, worked, or says nothing: the trap of errors in a 200."""

from collections.abc import Iterator, Mapping
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import (
    blank,
    clip,
    integer,
    json_in,
    key,
    mapping,
    names,
    names_within,
    some,
)
from telemetry.domain.classification.roles import ECHOES
from telemetry.domain.classification.words import read_code

FLAGS_GOOD = names(
    """
    ok success succeeded successful issuccess issuccessful is_success issucceed
    """
)
FLAGS_BAD = names(
    """
    iserror haserror haserrors error errors failed isfailed iserr fail errored isfault
    """
)
ERRORS = names(
    """
    error errors err errs fault faults exception errormessage errormessages errmsg errormsg errorcode
    errorcodes errordetails errorinfo errorresponse errordescription serviceexception requesterror lasterror
    errorlist errorresult
    """
)
NUMBERS = names(
    """
    code errcode errno errorcode errornum errorno ret retcode returncode resultcode resultcd statuscode
    status rc result errnum rescode respcode rspcode subcode infocode bizcode err error errorid scode
    resulttype msgcode rtncode bizresultcode errorindex serviceerrorcode
    """
)
WORDS_BAD = names(
    """
    error err fail failed failure fault exception ng ko nok denied rejected declined refused notok
    unsuccessful f err0r errored invalid aborted requestdenied
    """
)
WORDS_GOOD = names(
    """
    ok success succeeded successful s true good completed complete done ack accepted created approved none
    null noerror normal passed y active authorised authorized captured paid settled received pending
    processing queued scheduled sent delivered open filled new placed confirmed published 成功 操作成功 请求成功 处理成功
    调用成功 正常 正常終了
    """
)
GOOD_NUMBERS = frozenset({0, 200, 201, 202, 204, 207, 1000, 10000, 20000, 100000})
GOOD_CODES = names(
    """
    0 00 000 0000 00000 000000 0000000 1000 10000 20000 200 201 202 a00000 s0000 success ok suc000 none null
    100000 i00000 ok200 x00000 200000 00000000
    """
)
SAYS = names(
    """
    meldung fehler fehlermeldung nachricht hinweis beschreibung mensaje mensagem erreur message messages msg
    errmsg errormsg errormessage error errordescription desc description info detail details reason retmsg
    resultmsg returnmsg statusmessage submsg rtnmsg respmsg errordesc errorinfo resultmessage resultdesc
    text respdesc errmessage statustext errortext errcodedes errcodedesc
    """
)
RECORD_MARKS = names(
    """
    id uuid uid name createdat created updatedat startedat url key arn self number slug jobid runid taskid
    executionid
    """
)
ENVELOPE_KEYS = names(
    """
    type status code message requestid id object timestamp traceid path method
    """
)


def says(role: str) -> bool:
    """True for keys under which an answer speaks in sentences."""
    return role in SAYS or role.endswith(("message", "errmsg", "errormsg", "text", "description"))


def unwrapped(body: object) -> object:
    """Inside `{"Response": {…}}`, `{"xml": {…}}`, SOAP's Envelope and Body, `{"x_response": {…}, "sign": …}`."""
    for _ in range(4):
        if not isinstance(body, dict) or not 0 < len(body) <= 4:
            return body
        inner = [
            (name, value)
            for name, value in body.items()
            if key(name) not in ECHOES and name not in {"Header", "soap:Header"}
        ]
        wrapped = [
            value
            for name, value in inner
            if isinstance(value, dict) and (len(inner) == 1 or key(name).endswith("response"))
        ]
        if len(wrapped) != 1 or (
            len(inner) == 1
            and key(inner[0][0]) in ERRORS | {"data", "result", "item", "record", "user", "message"}
        ):
            return body
        body = wrapped[0]
    return body


def claims_failure(body: object, *, writes: bool, fine: frozenset[str] = frozenset()) -> bool:
    """True where the body's own flags, codes or words say that the call failed."""
    outer = mapping(body)
    if outer is None:
        return False
    names = names_within(outer, 7)
    if names.isdisjoint(SUSPICIOUS) and not any(
        isinstance(value, str) and value[:1] == "{" for value in some(outer.values(), 20)
    ):
        return False
    if _claims(outer, writes=writes, fine=fine):
        return True
    if names.isdisjoint(TELLING) and not any(
        name.endswith(("data", "result", "body", "response", "content")) for name in names
    ):
        return False
    if (
        any(_refused_inputs(outer, 0))
        or _lonely_error(outer, 0)
        or _inner_json(outer, writes=writes, fine=fine)
    ):
        return True
    inner = unwrapped(outer)
    if inner is not outer and isinstance(inner, dict) and _claims(inner, writes=writes, fine=fine):
        return True
    if writes and any(
        key(name) in SETTLED and isinstance(part, dict) and key(part.get("status", "")) in WORDS_BAD
        for name, part in some(outer.items(), 40)
    ):
        return True
    return any(
        isinstance(part, dict) and key(name) in HEADS and _claims(part, writes=writes, fine=fine)
        for level in (outer, inner if isinstance(inner, dict) else {})
        for name, part in some(level.items(), 40)
    )


def _inner_json(body: Mapping[str, Any], *, writes: bool, fine: frozenset[str]) -> bool:
    """An answer packed as text into another one."""
    for name, value in some(body.items(), 20):
        if (
            isinstance(value, str)
            and value[:1] == "{"
            and len(value) < 20_000
            and key(name).endswith(("data", "result", "body", "response", "content"))
        ):
            inner = json_in(value)
            if isinstance(inner, dict) and _claims(inner, writes=writes, fine=fine):
                return True
    return any(
        isinstance(inner, dict)
        and key(name) in {"data", "extra", "output", "payload"}
        and _has_error_code(inner)
        for name, inner in some(body.items(), 20)
    )


def _has_error_code(body: Mapping[str, Any]) -> bool:
    """An error number inside the payload, as Douyin writes it."""
    return any(
        key(name) in {"errorcode", "errcode", "errno"}
        and not isinstance(value, bool)
        and clip(value, 40).lower() not in {*GOOD_CODES, ""}
        for name, value in some(body.items(), 30)
    )


def _lonely_error(body: object, depth: int) -> bool:
    """An error at the end of a chain of single members: the one thing asked for, and it failed."""
    while depth < 8:
        depth += 1
        if isinstance(body, list | tuple):
            if len(body) != 1:
                return False
            body = body[0]
        elif isinstance(body, dict):
            error = next(
                (value for name, value in some(body.items(), 20) if key(name) in {"error", "errors"}), None
            )
            if depth > 1 and isinstance(error, dict) and error and len(body) <= 3:
                return len(error) > 1 and any(says(key(name)) for name in some(error, 20))
            inner = [
                value for value in some(body.values(), 20) if isinstance(value, dict | list | tuple) and value
            ]
            if len(inner) != 1 or len(body) > 3:
                return False
            body = inner[0]
        else:
            return False
    return False


TELLING = ERRORS | names(
    """
    code status errcode ret result resultcode subcode head header meta ack baseresp responsestatus
    resultinfo response state
    """
)
"""Without any of these names inside, only the outermost members can claim a failure."""


USER_ERRORS = names(
    """
    usererrors fielderrors validationerrors mutationerrors mediausererrors inputerrors formerrors
    customerusererrors businesserrors
    """
)
FEEDBACK = names(
    """
    rueckmeldungen rueckmeldung hirmg hirms returncodes feedback meldungen
    """
)


def _refused_inputs(body: Mapping[str, Any], depth: int) -> Iterator[bool]:
    """GraphQL mutations that answer with `userErrors`; bank answers whose return codes begin with 9."""
    for name, value in some(body.items(), 30):
        role = key(name)
        if role in USER_ERRORS and isinstance(value, list) and value:
            yield True
        if (
            role in FEEDBACK
            and isinstance(value, list)
            and any(
                isinstance(one, dict) and clip(one.get("code"), 8).startswith("9") for one in some(value, 20)
            )
        ):
            yield True
        if isinstance(value, dict) and depth < 3:
            yield from _refused_inputs(value, depth + 1)


TELLING |= USER_ERRORS | FEEDBACK
SETTLED = names(
    """
    data transaction payment order charge result refund transfer payout capture booking
    """
)
"""A write whose object came back with a status such as failed."""
HEADS = names(
    """
    meta header head base baseresp status result responsestatus response statusinfo error_response
    errorresponse responsemetadata resultinfo commonresponse responseheader outcome ack msgheader
    """
)


def _claims(body: Mapping[str, Any], *, writes: bool, fine: frozenset[str]) -> bool:
    said = False
    good = False
    for name, value in some(body.items(), 60):
        role = key(name)
        if role in FLAGS_GOOD and _is_false(value):
            return True
        if role in FLAGS_GOOD and _is_true(value):
            good = True
        if (role in FLAGS_BAD and value is True) or (role == "status" and value is False):
            return True
        said = said or (says(role) and not blank(value))
    if len(body) <= 2 and _only_complains(body):
        return True
    if good and not any(
        key(name) in ERRORS and isinstance(value, dict) and value for name, value in some(body.items(), 60)
    ):
        return False
    return (
        _claims_by_error(body)
        or _claims_by_number(body, fine, said=said)
        or _claims_by_word(body, writes=writes, said=said)
    )


def _only_complains(body: Mapping[str, Any]) -> bool:
    """`{"Note": "…"}`: a body of nothing but one sentence that reads like a failure."""
    texts = [(key(name), value) for name, value in body.items() if isinstance(value, str)]
    if len(texts) != len(body) or not any(
        role in {"information", "note", "notice", "warning", "errormessage", "hint", "message"}
        for role, _ in texts
    ):
        return False
    return any(
        finding.weight >= 62 and finding.cause is not Cause.NO_RESULTS
        for _, text in texts
        if len(text) < 600
        for finding in read_text(text)[:1]
    )


def _is_false(value: object) -> bool:
    return (
        value is False
        or (isinstance(value, str) and value.strip().lower() in {"false", "n", "no", "0", "f"})
        or (value == 0 and not isinstance(value, bool) and isinstance(value, int))
    )


def _is_true(value: object) -> bool:
    return (
        value is True
        or (isinstance(value, str) and value.strip().lower() in {"true", "y", "yes", "1"})
        or (value == 1 and isinstance(value, int))
    )


def _claims_by_error(body: Mapping[str, Any]) -> bool:
    """A filled error member, unless the object is a record that merely has one (a job with its last error)."""
    for name, value in some(body.items(), 60):
        role = key(name)
        if role not in ERRORS or blank(value) or value is False or value == 0:
            continue
        if isinstance(value, str) and (value.strip().lower() in GOOD_CODES or key(value) in WORDS_GOOD):
            continue
        if isinstance(value, list | tuple) and all(blank(one) or one == 0 for one in some(value, 20)):
            continue
        if isinstance(value, dict) and _says_fine(value):
            continue
        if integer(value) is not None and (role in NUMBERS or integer(value) == 0):
            continue
        if role in {"error", "errors", "lasterror", "errormessage", "exception"} and _is_record(body):
            continue
        return True
    return (
        body.get("type") == "error"
        or body.get("object") == "error"
        or "__type" in body
        or (body.get("kind") == "Status" and body.get("status") == "Failure")
    )


def _says_fine(value: Mapping[str, Any]) -> bool:
    """`"error": {"code": "ok", "message": ""}` and `{"code": 0}`."""
    code = next(
        (inner for name, inner in value.items() if key(name) in {"code", "errorcode", "status", "errcode"}),
        None,
    )
    texts = [inner for name, inner in some(value.items()) if key(name) in SAYS and not blank(inner)]
    return (
        code is not None
        and clip(code, 40).lower() in GOOD_CODES
        and not any(key(text) not in WORDS_GOOD for text in texts if isinstance(text, str))
    )


def _is_record(body: Mapping[str, Any]) -> bool:
    """True for a stored object: it has an identity and several members of its own."""
    names = {key(name) for name in some(body, 60)}
    own = names - ENVELOPE_KEYS - ERRORS - SAYS - ECHOES
    stored = "id" in names and isinstance(body.get("status"), str) and bool(own)
    return stored or (bool(names & RECORD_MARKS) and len(own) >= 2)


def _claims_by_number(body: Mapping[str, Any], fine: frozenset[str], *, said: bool) -> bool:
    """A code that is none of the usual zeroes, beside a message or alone."""
    for name, value in some(body.items(), 60):
        role = key(name)
        if not (role in NUMBERS or role.endswith(CODE_ENDS)) or isinstance(value, bool | dict | list):
            continue
        text = clip(value, 60).strip()
        plain = text.lower()
        if not plain or plain in fine or key(text) in WORDS_GOOD or (not fine and plain in GOOD_CODES):
            continue
        number = integer(text)
        if (
            role.startswith("err")
            and role.endswith(("code", "no", "num", "id", "number"))
            and (number is None or number not in GOOD_NUMBERS)
            and (number is not None or len(text) <= 40)
        ):
            return True
        if (
            number is not None
            and 400 <= number <= 599
            and role in {"code", "status", "cod", "statuscode"}
            and len(body) <= 3
        ):
            return True
        if said and (number is not None or not _is_record(body)) and _message_is_bad(body):
            return True
        sure = role.startswith(("err", "ret")) or role in {
            "infocode",
            "subcode",
            "statuscode",
            "resultcode",
            "respcode",
            "rspcode",
        }
        if role in {"subcode", "subresultcode"} and said:
            return True
        if number is not None:
            if (number in GOOD_NUMBERS and not fine) or (
                role in {"status", "code", "statuscode"} and 200 <= number < 300
            ):
                continue
            if role in {"status", "result", "rc", "resulttype"} and (number == 1 or not said):
                continue
            if (said or (sure and number != 1)) and not _message_is_good(body):
                return True
        elif (sure and said and read_code(text) is not None) or (
            role == "code"
            and said
            and len(body) <= 8
            and not _is_record(body)
            and (text.isupper() or "." in text or "_" in text)
        ):
            return True
    return False


CODE_ENDS = ("errcode", "errorcode", "resultcode", "returncode", "respcode", "retcode")


def _message_is_bad(body: Mapping[str, Any]) -> bool:
    """A sentence beside the code that reads like a failure."""
    texts = [
        value
        for name, value in some(body.items(), 60)
        if says(key(name))
        and isinstance(value, str)
        and 0 < len(value) < 300
        and key(value) not in WORDS_GOOD
    ]
    return any(
        finding.weight >= 55 and finding.cause is not Cause.NO_RESULTS
        for text in texts[:3]
        for finding in read_text(text)
    )


def _message_is_good(body: Mapping[str, Any]) -> bool:
    texts = [
        value
        for name, value in some(body.items(), 60)
        if key(name) in SAYS and isinstance(value, str) and value.strip()
    ]
    return bool(texts) and all(
        key(text) in WORDS_GOOD or text.strip().lower() in GOOD_CODES for text in texts
    )


def _claims_by_word(body: Mapping[str, Any], *, writes: bool, said: bool) -> bool:
    """`status: "error"`, `result_code: "FAIL"`, Google Maps' `status: "OVER_QUERY_LIMIT"`."""
    for name, value in some(body.items(), 60):
        role = key(name)
        if writes and role.endswith("status") and isinstance(value, dict):
            name, value = "sendstatus", value.get("status")
            role = "sendstatus"
        if not (role in WORD_ROLES or role.endswith("status")) or not isinstance(value, str) or not value:
            continue
        word = key(value)
        if word in WORDS_GOOD:
            continue
        if word in WORDS_BAD:
            sure = word in {
                "error",
                "err",
                "fail",
                "failure",
                "fault",
                "exception",
                "ng",
                "ko",
                "nok",
                "requestdenied",
            }
            if (
                (sure and not (_is_record(body) and not writes))
                or writes
                or role in {"returncode", "resultcode", "ack"}
                or (said and not _is_record(body))
            ):
                return True
        elif (
            role.endswith("status")
            and writes
            and role != "status"
            and (finding := read_code(value))
            and finding.weight >= 62
        ):
            return True
        elif (
            role in {"status", "resultcode", "returncode", "resultstatus", "responsestatus"}
            and "_" in value
            and value.isupper()
            and not _is_record(body)
        ):
            finding = read_code(value)
            if finding and finding.weight >= 60 and len(body) <= 8:
                return True
    return False


WORD_ROLES = names(
    """
    status result resultcode returncode resultstatus responsestatus state outcome ack type returnstatus
    resultstate transactionstatus paymentstatus success response level responsetype
    """
)


SUSPICIOUS = (
    FLAGS_GOOD
    | FLAGS_BAD
    | ERRORS
    | NUMBERS
    | WORD_ROLES
    | USER_ERRORS
    | FEEDBACK
    | frozenset({"kind", "object", "cod"})
)
SUSPICIOUS |= {"information", "note", "notice", "warning", "hint", "message"}
SUSPICIOUS |= frozenset(f"{part}{end}" for part in ("", "api", "biz", "pay", "service") for end in CODE_ENDS)
"""A body without any of these names claims nothing."""

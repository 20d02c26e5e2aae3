"""The words in which answers say that they worked or failed, by role of their key."""

from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.plain import key, names
from telemetry.domain.classification.roles import ECHOES

Members = list[tuple[str, Any]]
"""An object's members under their normalised keys."""

FLAGS_GOOD = names(
    """
    ok success succeeded successful issuccess issuccessful issucceed
    """
)
FLAGS_BAD = names(
    """
    iserror haserror haserrors error errors failed isfailed iserr fail errored isfault
    """
)
ERRORS = names(
    """
    generalerrorinfo
    exceptiontype
    error errors err errs fault faults exception errormessage errormessages errmsg errormsg errorcode
    errorcodes errordetails errorinfo errorresponse errordescription serviceexception requesterror lasterror
    errorlist errorresult exceptions errortext exceptiondetails
    """
)
NUMBERS = names(
    """
    code errcode errno errorcode errornum errorno ret retcode returncode resultcode resultcd statuscode
    status rc result errnum rescode respcode rspcode subcode infocode bizcode err error errorid scode
    coderetour codeerreur codigoerror codigoerro fehlercode fehlernummer codiceerrore resulttype msgcode rtncode bizresultcode errorindex serviceerrorcode
    """
)
WORDS_BAD = names(
    """
    error err fail failed failure fault exception ng ko nok denied rejected declined refused notok
    unsuccessful f fehler deny err0r errored invalid aborted requestdenied
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
GOOD_CODES = names(
    """
    0 00 000 0000 00000 000000 0000000 1000 10000 20000 200 201 202 a00000 s0000 success ok suc000 none null
    100000 i00000 ok200 x00000 200000 00000000
    """
)
SAYS = names(
    """
    libelle meldung fehler fehlermeldung nachricht hinweis beschreibung mensaje mensagem erreur message messages msg
    errmsg errormsg errormessage error errordescription desc description info detail details reason retmsg
    resultmsg returnmsg statusmessage submsg rtnmsg respmsg errordesc errorinfo resultmessage resultdesc
    text respdesc errmessage statustext errortext errcodedes errcodedesc errorstring
    """
)
RECORD_MARKS = names(
    """
    id uuid uid name createdat created updatedat startedat url key arn self number slug jobid runid taskid
    executionid executionarn taskarn jobarn jobname startdate stopdate starttime endtime
    """
)
ENVELOPE_KEYS = names(
    """
    type status code message requestid id object timestamp traceid path method
    """
)
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
WORD_ROLES = names(
    """
    responseclass
    status result resultcode returncode resultstatus responsestatus state outcome ack type returnstatus
    resultstate transactionstatus paymentstatus success response level responsetype
    """
)
CODE_ENDS = ("errcode", "errorcode", "resultcode", "returncode", "respcode", "retcode")
SURE_WORDS = names("error err fail failure fault exception ng ko nok requestdenied")
"""Of the bad words those that no stored object has as its state."""
NOTES = names("information note notice warning errormessage hint message")
TELLING = (
    ERRORS
    | USER_ERRORS
    | FEEDBACK
    | names(
        "code status errcode ret result resultcode subcode head header meta ack baseresp responsestatus resultinfo response state"
    )
)
"""Without any of these names inside, only the outermost members can claim a failure."""
SUSPICIOUS = (
    FLAGS_GOOD
    | FLAGS_BAD
    | ERRORS
    | NUMBERS
    | WORD_ROLES
    | USER_ERRORS
    | FEEDBACK
    | NOTES
    | names("kind object cod")
    | {f"{part}{end}" for part in ("", "api", "biz", "pay", "service") for end in CODE_ENDS}
)
"""A body without any of these names claims nothing."""


def says(role: str) -> bool:
    """True for keys under which an answer speaks in sentences."""
    return role in SAYS or role.endswith(("message", "msg", "text", "description", "changereason"))


def is_record(body: Mapping[str, Any], members: Members) -> bool:
    """True for a stored object: it has an identity and several members of its own."""
    roles = {role for role, _ in members}
    own = roles - ENVELOPE_KEYS - ERRORS - SAYS - ECHOES
    stored = not roles.isdisjoint(("id", "sid", "uuid")) and isinstance(body.get("status"), str) and bool(own)
    return stored or (bool(roles & RECORD_MARKS) and len(own) >= 2)


def is_shown(members: Members) -> bool:
    """True for what a read shows: an object with a number of its own, such as a shipment or an event."""
    roles = {role for role, value in members if isinstance(value, str | int)}
    own = {role for role, _ in members} - ENVELOPE_KEYS - ERRORS - SAYS - ECHOES
    return len(own) >= 2 and any(map(is_identity, roles))


def is_identity(role: str) -> bool:
    """True for keys that name a stored object: `sid`, `tracking_number`, `item_id`, but no request's own id."""
    return role.endswith(("id", "number")) and role not in OF_THE_REQUEST


OF_THE_REQUEST = names(
    """
    requestid traceid correlationid logid errorid reqid rid xrequestid debugid fbtraceid transactionid
    errornumber invalid activityid operationid messageid msgid incidentid referenceid clientrequestid
    """
)


def is_good_word(text: str) -> bool:
    """True for `ok`, `SUCCESS`, `0`, `操作成功`."""
    return key(text) in WORDS_GOOD or text.strip().lower() in GOOD_CODES

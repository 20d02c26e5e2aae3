"""Names under which batches count and list what worked and what failed."""

import re
from collections.abc import Collection

from telemetry.domain.classification.plain import names

OK_LISTS = names(
    """
    successful success succeeded successes created updated processed accepted valid inserted results sent
    delivered imported deleted newmembers updatedmembers issues ids completed done data items acknowledged
    added ok okitems applied upserted documents records rows objects processeditems successlist
    succeededitems successitems succeedlist okids saved enqueued resultlist affectedids members insertedids
    """
)
BAD_LISTS = names(
    """
    ko nok notok
    failed failures failure errors error rejected rejections invalid failedrecords unprocesseditems
    unprocessedkeys unprocessed inserterrors notfound failedrequests faileditems faillist errorlist
    invalidrecords badrecords undelivered failedids missing invaliduser invalidparty
    invalidtag unlicenseduser errorids deadletter partialfailures partialerrors partialfailureerror
    failurelist failedentries rejectedrecords unsuccessful denied conflicts notprocessed failedmessages
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
    newcount addedcount importedcount ninserted nmodified nupserted nremoved totalsuccessful recordsprocessed numinserted
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
ITEM_LISTS = names(
    """
    results items responses records data messages recipients files documents objects entries rows values
    operations details tasks requests statuses response result resultlist itemresults batch batchresponse
    notifications replies transactions orders payments contacts emails tickets hasresults list devices
    output outputs multistatus subresponses compositeresponse jobs createresults body children resources ops
    payload content reports info targets receipts docs
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
    exception err declined aborted bounced unsuccessful timedout conflict blocked expired
    """
)
BATCH_WORDS = names(
    """
    batch bulk multi mget many all each send transfer import upload sync messages notifications multicast
    broadcast mass records items
    """
)
COUNT_ARGS = names(
    """
    records items messages rows entries putitems objects members documents files recipients count issues
    users contacts events operations requests keys ids tokens points vectors children emails tickets orders
    deleteitems actions lines products payments
    """
)
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
"""Ends of names that count what worked."""
REFUSED = names(
    """
    invaliduser invaliduserlist invalidparty invalidtag invalidreceivers failedreceivers rejectedrecipients refused
    invaliduserids invaliddepartmentids invaliduseridlist forbiddenuserid forbiddenuseridlist
    """
)
RECEIVERS = names(
    "touser to recipients userids users receivers useridlist openids receiveids ids tokens numbers emails"
)
COUNTED = re.compile(
    r"^(?:total|num|numberof|count)?(accepted|succeeded|successful|success|created|updated|inserted|sent|delivered|processed|queued|imported|saved|rejected|failed|invalid|skippederror|errored|error|unsuccessful|bounced|undelivered)(?:recipients|records|rows|items|messages|emails|contacts|documents|events|objects|users|count|total)$"
)
"""`total_rejected_recipients`, `num_failed_rows`: what a count counts."""


def counted(role: str) -> bool | None:
    """Whether a name counts what worked (True) or what failed (False)."""
    match = COUNTED.match(role)
    return None if match is None else match.group(1) in GOOD_WORDS


GOOD_WORDS = names(
    "accepted succeeded successful success created updated inserted sent delivered processed queued imported saved"
)
WARNING = (
    BAD_LISTS
    | BAD_COUNTS
    | REFUSED
    | names(
        "partialsuccess usererrors fielderrors mutationerrors message msg detail unprocesseditems unprocessedkeys inserterrors"
    )
)
"""An object without any of these names tells of no failed item itself."""


def names_refused(role: str) -> bool:
    """`invaliduser`, `invalid_player_ids`, `failedRecipients`, `rejected_numbers`."""
    return role in REFUSED or (
        role.startswith(("invalid", "failed", "rejected", "refused", "unknown"))
        and role.endswith(
            ("ids", "users", "recipients", "tokens", "numbers", "emails", "receivers", "addresses")
        )
    )


TWINS = ("invalid", "failed", "unprocessed", "notfound", "missing", "unknown", "rejected", "unresolved")
"""How the name of the second of two lists begins or ends, which holds what the first one lacks."""


def twin_of(role: str, roles: Collection[str]) -> str | None:
    """`Parameters` of `InvalidParameters`, `builds` of `buildsNotFound`: the list that has what the other lacks."""
    names_of = (
        role.removeprefix(mark) if role.startswith(mark) else role.removesuffix(mark) for mark in TWINS
    )
    return next((name for name in names_of if name != role and name in roles), None)

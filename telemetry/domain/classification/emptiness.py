"""Whether an answer that worked holds anything: a search without hits, a look-up of nothing."""

import re
from collections.abc import Mapping
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import blank, clip, integer, key, some
from telemetry.domain.classification.roles import ECHOES
from telemetry.domain.classification.sight import Sight

SEARCHING = frozenset("search find query lookup look list suggest autocomplete geocode match filter explore select scan fetch browse discover retrieve recommend nearby locate resolve reverse grep answer translate0 catalog offers availability quotes scrape extract dig whois".split())
COUNTING = frozenset("count counts exists exist check verify validate ping health status is has test stats statistics metrics balance".split())
LISTS = frozenset("results items data records rows documents hits matches entries values list result files issues messages users orders events pois features organic organicresults response docs value objects elements articles products offers flights hotels contacts tickets pods tables transactions repositories commits channels members responses answer answers candidates places locations suggestions pages nodes edges songs tracks videos photos posts tweets statuses jobs tasks tests namespaces buckets keys contents collections vectors points memories content payload getstatslist predictions routes trains journeys connections departures quotes bars orderbook positions trades news stories chunks references citations sources related relatedtopics webpages webresults web listings properties rooms availabilities invoices payments customers vouchers datasets output outputs search found buses stops schedules weather forecasts accounts companies people subscriptions plans releases tags branches".split())
COUNTS = frozenset("total totalcount count numfound totalresults totalhits nbhits resultcount numberofresults totalrecords totalsize size estimatedtotalhits found hits resultscount recordcount totalelements rowcount totalitems totalrows numresults numhits total0 matched matchedcount numberreturned hitcount totalmatches totalnum totalresultscount issuecount numrows numberofrecords totalresultsavailable resultstotal itemcount returned".split())
META = frozenset("meta links link pagination paging cursor nextcursor next nextpage nextpagetoken hasmore page pagesize perpage limit offset status statuscode code message msg ok success error errors warnings warning type kind object apiversion etag took timedout shards version facets aggregations dictionaries query q request requestid searchinformation searchmetadata searchparameters incompleteresults incompletesearch startat maxresults isfinished previous prev first last self info infocode suggestion suggestions0 resultcode retcode retmsg errcode errmsg reason time timestamp date columns fields schema metadata description statistics locale currency debug trace usage model rateLimit credits creditsused responsetime followupquestions0 queryid jobid executiontime scrollid totalpages currentpage pagecount expand names warningmessages executiontimems processingtimems elapsed cost duration filters sort order orderby sortby executionid islast lastpage firstpage number numberofelements empty more hasnext hasprevious nexturl previousurl isexact exhaustivenbhits exhaustivetypo params hitsperpage nbpages serverusedresults renderingcontent processing serverinfo header head result0 currentcount startindex itemsperpage stats source language version0 copyright attribution license generationtimems".split())
_NOTHING = frozenset({"[]", "{}", "null", "none", "nil", "\"\"", "''", "[ ]", "{ }", "()", "undefined", "nan", "-", "n/a"})
_RESULT_TEXT = re.compile(r"^\W{0,3}(?:\[\]|\{\}|null|none|nil)\W{0,3}$", re.IGNORECASE)


def looks_up(sight: Sight) -> bool:
    """True where the tool's name says that it searches or lists."""
    return any(word in SEARCHING for word in sight.words)


def counts_only(sight: Sight) -> bool:
    """True where a zero or a false is the answer asked for."""
    return any(word in COUNTING for word in sight.words) and not looks_up(sight)


def is_empty(sight: Sight) -> bool:
    """True for an answer of a read that worked and holds nothing."""
    evidence = sight.evidence
    if not sight.reads or not evidence.has_body or not evidence.complete:
        return False
    if sight.status == 204:
        return True
    body = sight.body
    if sight.text and not isinstance(body, Mapping | list):
        return is_empty_text(sight.text)
    if body is None:
        return sight.status is not None or evidence.exit_code is None
    if isinstance(body, list):
        return not body or (len(body) <= 3 and all(_nothing(one, sight) for one in body))
    if isinstance(body, Mapping):
        return not body or _nothing(body, sight)
    return isinstance(body, str) and is_empty_text(body)


def is_empty_text(text: str) -> bool:
    """Blank, a printed null or list, or a short sentence that says that there is nothing."""
    if len(text) > 600:
        return False
    plain = text.strip()
    if not plain or plain.lower() in _NOTHING or _RESULT_TEXT.match(plain):
        return True
    return len(plain) <= 300 and "\n\n" not in plain and any(finding.cause is Cause.NO_RESULTS for finding in read_text(plain))


def _nothing(body: object, sight: Sight) -> bool:
    """True where an object's lists, counts and values say that nothing was found."""
    if body is None:
        return True
    if isinstance(body, list):
        return not body or all(_nothing(one, sight) for one in some(body, 3)) and len(body) <= 3 and all(isinstance(one, list | Mapping) for one in body)
    if not isinstance(body, Mapping):
        return False
    told = _told(body, sight, 0)
    if told.full:
        return False
    if told.empty_list or (told.zero and not counts_only(sight)) or told.null:
        return True
    return told.blank


class _Told:
    """What the members of an answer add up to."""

    __slots__ = ("blank", "empty_list", "full", "null", "values", "zero")

    def __init__(self) -> None:
        self.full = self.empty_list = self.zero = self.null = False
        self.values = 0
        self.blank = False


def _told(body: Mapping[str, Any], sight: Sight, depth: int) -> _Told:
    told = _Told()
    leaves = 0
    for raw_name, value in some(body.items(), 80):
        role = key(raw_name)
        if role in COUNTS and isinstance(value, Mapping):
            value = value.get("value")
        if role in COUNTS and (count := integer(value)) is not None:
            told.zero = told.zero or count == 0
            told.full = told.full or (count > 0 and role not in {"size", "count"} and depth == 0 and not _empty_lists(body))
        elif role in META or role in ECHOES or raw_name in {"@odata.context", "@type", "$schema"}:
            if role in {"meta", "result", "searchinformation", "pagination"} and isinstance(value, Mapping):
                inner = _told(value, sight, depth + 1)
                told.zero = told.zero or inner.zero
        elif isinstance(value, list):
            told.full = told.full or bool(value) and not all(blank(one) or _nothing(one, sight) for one in some(value, 3))
            told.empty_list = told.empty_list or (not value and (role in LISTS or looks_up(sight)))
            leaves += bool(value)
        elif isinstance(value, Mapping):
            leaves += _nested(told, role, value, sight, depth)
        elif value is None:
            told.null = told.null or role in LISTS or role in {"item", "record", "document", "object", "user", "entity", "hit", "match", "node", "price", "quote"} or len(body) == 1
        elif blank(value):
            told.blank = True
        elif not _is_echo(value, sight):
            leaves += 1
            told.values += 1
    told.full = told.full or told.values > 0 and not _only_meta_values(told, body)
    told.blank = told.blank and not told.full
    return told


def _nested(told: _Told, role: str, value: Mapping[str, Any], sight: Sight, depth: int) -> int:
    if not value:
        told.empty_list = told.empty_list or role in LISTS
        return 0
    if depth > 3:
        told.full = True
        return 1
    inner = _told(value, sight, depth + 1)
    told.full = told.full or inner.full
    told.zero = told.zero or inner.zero
    told.empty_list = told.empty_list or inner.empty_list
    told.null = told.null or inner.null
    told.blank = told.blank or inner.blank
    return 1


def _empty_lists(body: Mapping[str, Any]) -> bool:
    return any(isinstance(value, list) and not value for value in some(body.values(), 60))


def _only_meta_values(told: _Told, body: Mapping[str, Any]) -> bool:
    """Two or fewer words beside an empty list of results are labels, not content."""
    return (told.empty_list or told.zero) and told.values <= 2


def _is_echo(value: object, sight: Sight) -> bool:
    """A value that the call itself sent, or that says nothing: false, zero, 'ok'."""
    if isinstance(value, bool) or value in (0, "0", 0.0):
        return True
    text = clip(value, 200)
    return any(text == clip(sent, 200) for sent in some(sight.args.values(), 30) if isinstance(sent, str | int | float))

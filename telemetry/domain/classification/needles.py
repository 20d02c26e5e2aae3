"""Which literal texts a pattern cannot match without, so that most patterns are ruled out before they are run.

The phrase tables hold several hundred patterns and a failure's text matches a handful. A substring test costs a
hundredth of a search, and a pattern that is never needed is never compiled.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from telemetry.domain.classification.causes import Cause

_CLASS_ESCAPES = frozenset("wWdDsSbBAZ")
_FLAGS = re.UNICODE


def alternatives(pattern: str) -> list[str]:
    """The pattern split at the bars that stand outside every group."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _end_of_class(pattern, at)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|" and depth == 0:
            parts.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*parts, pattern[start:]]


def needles(pattern: str) -> frozenset[str]:
    """Literals of which every match contains at least one; empty where nothing can be said."""
    found: list[frozenset[str]] = []
    for branch in alternatives(pattern):
        best = max(_of_branch(branch), key=_worth, default=frozenset())
        if not best:
            return frozenset()
        found.append(best)
    return frozenset().union(*found)


def _worth(literals: frozenset[str]) -> tuple[int, int]:
    return (min((len(literal) for literal in literals), default=0), -len(literals))


def _of_branch(branch: str) -> Iterator[frozenset[str]]:
    """Every set of literals that one branch cannot do without."""
    run, at = "", 0
    while at < len(branch):
        char = branch[at]
        literal, inner = "", None
        if char == "\\":
            escaped = branch[at + 1]
            literal = "" if escaped in _CLASS_ESCAPES else escaped
            zero_width = escaped in "bBAZ"
            end = at + 2
        elif char == "[":
            end, zero_width = _end_of_class(branch, at) + 1, False
        elif char == "(":
            end = _end_of_group(branch, at) + 1
            body = branch[at + 1 : end - 1]
            zero_width = body.startswith(("?=", "?!", "?<"))
            inner = None if zero_width else body.removeprefix("?:")
        else:
            literal = "" if char in ".^$" else char
            zero_width = char in "^$"
            end = at + 1
        optional, end = _quantifier(branch, end)
        if literal and not optional:
            run += literal
        elif not zero_width or optional:
            if run:
                yield frozenset({run})
            run = ""
            if inner is not None and not optional:
                yield needles(inner)
        at = end
    if run:
        yield frozenset({run})


def _quantifier(branch: str, at: int) -> tuple[bool, int]:
    """Whether what stands before may be absent or repeated, and where the quantifier ends."""
    if at >= len(branch):
        return False, at
    char = branch[at]
    if char in "?*+":
        return True, at + 2 if branch[at + 1 : at + 2] == "?" else at + 1
    if char == "{" and (end := branch.find("}", at)) > 0:
        return True, end + 2 if branch[end + 1 : end + 2] == "?" else end + 1
    return False, at


def _end_of_class(pattern: str, at: int) -> int:
    at += 1
    if pattern[at] == "^":
        at += 1
    if pattern[at] == "]":
        at += 1
    while pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at


def _end_of_group(pattern: str, at: int) -> int:
    depth = 0
    while True:
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _end_of_class(pattern, at)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return at
        at += 1


@dataclass(slots=True)
class Rule:
    """One pattern with what it stands for; compiled when it is first needed."""

    cause: Cause
    weight: int
    order: int
    pattern: str
    also: tuple[frozenset[str], ...] = ()
    """Further literals, of each set of which every match contains at least one."""
    compiled: re.Pattern[str] | None = None

    def matches(self, text: str) -> bool:
        """Whether the pattern occurs in the text."""
        for literals in self.also:
            for literal in literals:
                if literal in text:
                    break
            else:
                return False
        if self.compiled is None:
            self.compiled = re.compile(self.pattern, _FLAGS)
        return self.compiled.search(text) is not None


@dataclass(slots=True)
class Table:
    """Rules behind their needles."""

    by_needle: dict[str, list[Rule]] = field(default_factory=dict)
    always: list[Rule] = field(default_factory=list)
    by_gram: dict[str, list[str]] = field(default_factory=dict)
    """Needles by the rarest three letters in them, so that a text is asked only for needles it may hold."""
    short: list[str] = field(default_factory=list)
    """Needles of fewer than three letters."""

    @classmethod
    def of(cls, rows: Iterable[tuple[Cause, int, tuple[str, ...]]]) -> "Table":
        """The table of rows (cause, weight, patterns)."""
        table = cls()
        for order, (cause, weight, patterns) in enumerate(rows):
            for pattern in patterns:
                for branch in alternatives(pattern):
                    table._add(Rule(cause, weight, order, branch))
        table._shelve()
        return table

    def _shelve(self) -> None:
        common = Counter(gram for needle in self.by_needle for gram in _grams(needle))
        for needle in self.by_needle:
            if gram := min(_grams(needle), key=common.__getitem__, default=""):
                self.by_gram.setdefault(gram, []).append(needle)
            else:
                self.short.append(needle)

    def _add(self, rule: Rule) -> None:
        literals = needles(rule.pattern)
        others = [one for one in _of_branch(rule.pattern) if one and one != literals]
        rule.also = tuple(sorted(others, key=_worth, reverse=True)[:3])
        if not literals:
            self.always.append(rule)
        for literal in literals:
            self.by_needle.setdefault(literal, []).append(rule)

    def find(self, text: str) -> list[Rule]:
        """The rules that match, heaviest first, earlier rows before later ones."""
        candidates = {id(rule): rule for rule in self.always}
        asked = [needle for gram in self.by_gram.keys() & _grams(text) for needle in self.by_gram[gram]]
        for needle in asked + self.short:
            if needle in text:
                for rule in self.by_needle[needle]:
                    candidates[id(rule)] = rule
        ranked = sorted(candidates.values(), key=lambda rule: (-rule.weight, rule.order))
        found: dict[Cause, Rule] = {}
        for rule in ranked:
            if rule.cause not in found and rule.matches(text):
                found[rule.cause] = rule
        return list(found.values())


def _grams(text: str) -> set[str]:
    """Every three letters that follow one another."""
    return {text[at : at + 3] for at in range(len(text) - 2)}

"""What programs write for programs: tells it from sentences, and splits it into words."""

import re

CODE_LIMIT = 120
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^a-z0-9']+")


def is_identifier(text: str) -> bool:
    """True for what a program wrote for programs: one word, or a few without a sentence's marks."""
    if not 0 < len(text) <= CODE_LIMIT or not text.isascii():
        return False
    return " " not in text.strip() or (text.count(" ") <= 3 and not text.rstrip().endswith((".", "!", "?")))


def words_of(code: str) -> str:
    """`AWS.SimpleQueueService.NonExistentQueue` → `aws simple queue service non existent queue`."""
    return _WORD.sub(" ", _CAMEL.sub(" ", code).lower()).strip()

"""Names that are written from right to left, or say they are: in a sentence of ours they turn nothing but themselves."""

import unicodedata

TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI"})
FIRST_STRONG, END = "\u2068", "\u2069"  # an isolate in plain text, as `bdi` is one in a page


def apart(name: str) -> str:
    """Give a name to stand inside a sentence without markup; one that turns nothing stays as it is."""
    if not any(unicodedata.bidirectional(char) in TURNING for char in name):
        return name
    return f"{FIRST_STRONG}{name.replace(END, '')}{END}"

"""The little language that calls are searched by: `tool:pay* class:hard -agent:x ms:>500 since:2h "said in it"`.

Pure: a text becomes conditions, or the parts of it that are wrong; links edit the same text that people type.
"""

from telemetry.domain.search.asked import Asked, Number, Text, Word
from telemetry.domain.search.editing import term, with_term, without
from telemetry.domain.search.fields import FIELDS, Field
from telemetry.domain.search.mistakes import Mistake, MistakeKind
from telemetry.domain.search.reading import Reading, read

__all__ = [
    "FIELDS",
    "Asked",
    "Field",
    "Mistake",
    "MistakeKind",
    "Number",
    "Reading",
    "Text",
    "Word",
    "read",
    "term",
    "with_term",
    "without",
]

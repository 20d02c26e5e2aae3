"""A form made from a JSON Schema and a value, and the value read back from what was typed.

Objects, lists, choices, numbers, texts, dates and yes-or-no become fields; what a form cannot show becomes a field of
raw JSON. The schema itself is judged elsewhere; here only what was typed is understood, and nothing of the value that
has no field is lost.
"""

from console.kit.schema_form.reading import Reading, read
from console.kit.schema_form.shape import ABSENT, JSON_MODE, MODE, Field, Typed, build, marked

__all__ = ["ABSENT", "JSON_MODE", "MODE", "Field", "Reading", "Typed", "build", "marked", "read"]

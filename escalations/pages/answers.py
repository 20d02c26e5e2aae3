"""The answer to an agent's question: its form, what was typed into it, and what of that does not fit."""

from collections.abc import Mapping
from dataclasses import replace

from console.kit import schema_form
from console.kit.refusal import FieldError
from console.kit.schema_form import Field, Reading, Typed
from escalations.domain import schema
from escalations.pages.faults import at_fields, said

ANSWER = "answer"


def laid(
    asked: Mapping[str, object] | None, typed: Typed | None, *, checked: bool
) -> tuple[Reading, Field | None]:
    """Read the answer and make its form. Nothing typed is no answer; false, 0 and "" are answers.

    Only an answer that was tried is marked with what is missing: an empty form reproaches nobody.
    """
    if asked is None:
        return Reading(schema_form.ABSENT), None
    reading = schema_form.read(asked, schema_form.ABSENT, prefix=ANSWER, typed=typed or {})
    form = schema_form.build(asked, schema_form.ABSENT, prefix=ANSWER, typed=typed)
    faults = {**(_unfit(asked, reading.value, form) if checked else {}), **reading.errors}
    return reading, _first_focused(schema_form.marked(form, faults))


def _unfit(asked: Mapping[str, object], value: object, form: Field) -> dict[str, str]:
    if value is not schema_form.ABSENT:
        return at_fields(schema.errors_of(asked, value, prefix=ANSWER), ANSWER, ANSWER)
    needed = [one for one in form.fields if one.required] or [form]
    return {one.name: said(FieldError("MISSING")) for one in needed}


def _first_focused(form: Field) -> Field:
    """Put the cursor where the first fault is, whether a script runs or not."""
    first = next((one.name for one in form.leaves() if one.error), "")
    return _focused(form, first) if first else form


def _focused(form: Field, name: str) -> Field:
    fields = tuple(_focused(one, name) for one in form.fields)
    return replace(form, focus=form.name == name, fields=fields)

"""The proof of the audit, as a person runs it."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from console.audit.models import AuditEntry
from tests import factories

pytestmark = pytest.mark.django_db


def run(*argv):
    out, err = StringIO(), StringIO()
    call_command("audit", *argv, stdout=out, stderr=err)
    return out.getvalue()


def test_a_whole_chain_holds():
    factories.agent_key(factories.agent("trip-booker"))
    assert run("verify") == "The chain holds: 2 entries.\n"


def test_a_changed_entry_is_named_and_the_command_fails():
    factories.agent("trip-booker")
    AuditEntry.objects.update(actor_name="somebody else")
    err = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", "verify", stderr=err)
    assert ended.value.code == 1
    assert err.getvalue() == "Broken: entry 1 was changed.\n"


def test_an_export_is_one_object_a_line_oldest_first():
    agent = factories.agent("trip-booker")
    factories.agent_key(agent)
    factories.agent("group-desk")
    lines = [json.loads(line) for line in run("export").splitlines()]
    assert [(line["seq"], line["verb"]) for line in lines] == [
        (1, "created"),
        (2, "key_made"),
        (3, "created"),
    ]
    assert len(run("export", "--subject", f"agent:{agent}").splitlines()) == 2

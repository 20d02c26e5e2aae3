"""An address that only takes forms, opened by itself."""

import pytest

pytestmark = pytest.mark.django_db

BACK = {
    "/cases/C-12/decision/": "/cases/C-12/",
    "/cases/C-12/posts/5b0a4a0e-9e5c-4f6c-8c3a-2d1f0c9b8a77/redeliver/": "/cases/C-12/",
    "/policies/big%20refunds/mode/": "/policies/big%20refunds/",
    "/agents/trip-booker/keys/5/revoke/": "/agents/trip-booker/",
    "/breakers/pay%2Fapi/command/": "/breakers/pay/api/",
    "/calls/5/label/": "/calls/",
    "/pauses/hold/": "/pauses/",
}


@pytest.fixture
def signed_in(client, operator):
    client.force_login(operator)
    return client


@pytest.mark.parametrize(("address", "back"), BACK.items())
def test_a_form_address_opened_by_itself_leads_back_to_its_page(signed_in, address, back):
    answer = signed_in.get(address)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f'<a class="btn primary" href="{back}">' in answer.content.decode()


def test_a_page_that_takes_no_form_says_so_too(signed_in):
    answer = signed_in.post("/queue/")
    assert answer.status_code == 405
    assert "nothing was changed" in answer.content.decode()


def test_programs_keep_the_answer_of_the_api(signed_in):
    answer = signed_in.get("/api/v1/breakers/events")
    assert answer.status_code in {401, 403, 405}
    assert b"<html" not in answer.content

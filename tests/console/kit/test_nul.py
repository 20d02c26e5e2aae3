import pytest
from django.http import Http404, HttpResponse

from console.kit.nul import WithoutNul


@pytest.fixture
def through():
    """Send a request through and give what the view would see."""

    def send(request):
        seen = []
        WithoutNul(lambda inner: (seen.append(inner), HttpResponse())[1])(request)
        return seen[0]

    return send


def test_a_query_is_neutralised(through, rf):
    assert through(rf.get("/calls/?tool=%00x&class=hard")).GET.dict() == {"tool": "\ufffdx", "class": "hard"}


def test_a_form_is_neutralised_names_and_values(through, rf):
    form = through(rf.post("/x", {"message": ["a\0b", "c"], "n\0": "d"})).POST
    assert form.getlist("message") == ["a\ufffdb", "c"]
    assert form["n\ufffd"] == "d"
    assert not form._mutable


def test_a_form_without_one_is_the_form_itself(through, rf):
    request = rf.post("/x", {"message": "a"})
    before = request.POST
    assert through(request).POST is before


def test_an_address_with_one_is_no_address(through, rf):
    with pytest.raises(Http404):
        through(rf.get("/tools/%00/"))


def test_a_body_of_the_api_is_left_to_its_own_reader(through, rf):
    request = rf.post("/api/v1/x", b'{"a":"\\u0000"}', content_type="application/json")
    assert through(request).body == b'{"a":"\\u0000"}'

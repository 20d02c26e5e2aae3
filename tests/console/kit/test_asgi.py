import pytest

from console.kit.asgi import Mount, Mounts, answer


def named(name, log):
    async def app(scope, receive, send):
        log.append((name, scope.get("path_params")))

    return app


@pytest.fixture
def log():
    return []


@pytest.fixture
def mounts(log):
    return Mounts(
        [
            Mount(
                "/cases/(?P<id>[0-9]+)",
                named("case", log),
                frozenset({"GET"}),
                when=lambda scope: b"wait" in scope["query_string"],
            ),
            Mount("/calls", named("calls", log), frozenset({"POST"})),
        ],
        behind=named("django", log),
    )


def asked(method, path, query=b""):
    return {"type": "http", "method": method, "path": path, "query_string": query}


@pytest.mark.parametrize(
    ("scope", "who"),
    [
        (asked("POST", "/calls"), ("calls", {})),
        (asked("GET", "/calls"), ("django", None)),
        (asked("POST", "/calls/"), ("django", None)),
        (asked("POST", "/calls/x"), ("django", None)),
        (asked("GET", "/cases/7", b"wait=25"), ("case", {"id": "7"})),
        (asked("GET", "/cases/7"), ("django", None)),
    ],
    ids=str,
)
async def test_the_path_the_method_and_the_mounts_own_word_say_who_answers(mounts, log, scope, who):
    await mounts(scope, None, None)
    assert log == [who]


async def test_an_answer_is_whole_and_not_to_be_sniffed():
    sent = []

    async def send(message):
        sent.append(message)

    await answer(send, 202, b"{}", headers={"Retry-After": "1"})
    assert (sent[0]["status"], sent[1]["body"]) == (202, b"{}")
    assert dict(sent[0]["headers"]) == {
        b"content-type": b"application/json",
        b"content-length": b"2",
        b"x-content-type-options": b"nosniff",
        b"retry-after": b"1",
    }

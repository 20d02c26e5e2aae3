import pytest

from console.serving.server import Server, config, why_not_workers


@pytest.fixture(autouse=True)
def no_concurrency_from_outside(monkeypatch):
    monkeypatch.delenv("WEB_CONCURRENCY", raising=False)


def test_embedded_one_process_is_the_whole_console(settings):
    settings.EMBEDDED = True
    assert why_not_workers(1) is None
    assert why_not_workers(2).startswith("2 processes need DATABASE_URL and REDIS_URL")


def test_the_usual_variable_counts_as_asking(settings, monkeypatch):
    settings.EMBEDDED = True
    monkeypatch.setenv("WEB_CONCURRENCY", "4")
    assert why_not_workers(1).startswith("4 processes")


def test_at_scale_several_processes_are_fine(settings):
    settings.EMBEDDED = False
    assert why_not_workers(8) is None


async def test_the_caller_is_told_when_the_server_answers_and_before_it_ends():
    said = []
    plain = config("127.0.0.1", 0)
    plain.app, plain.lifespan = _nothing, "off"
    server = Server(
        plain,
        ready=lambda: (said.append("ready"), setattr(server, "should_exit", True)),
        ending=lambda: said.append("ending"),
    )
    await server.serve()
    assert said == ["ready", "ending"]


async def _nothing(scope, receive, send):
    """Answer nobody."""

import threading
import uuid

import celery._state
import pytest
from celery import Celery

from console.embedded.tasks import EmbeddedTasks


@pytest.fixture
def app(monkeypatch):
    """An app with a broker of its own: kombu keeps one pool of producers for each address in a process."""
    monkeypatch.setattr(celery._state, "default_app", celery._state.default_app)
    made = Celery("embedded-test", broker=f"memory://{uuid.uuid4().hex}", set_as_current=False)
    made.conf.task_ignore_result = True
    yield made
    made.close()


@pytest.fixture
def done():
    return threading.Event()


@pytest.fixture
def tasks(app):
    embedded = EmbeddedTasks(lambda: app)
    yield embedded
    embedded.stop()


def test_a_task_sent_from_another_thread_runs(app, tasks, done):
    threads = []

    def work():
        threads.append(threading.current_thread().name)
        done.set()

    sent = app.task(name="work", shared=False)(work)
    tasks.start()
    assert tasks.wait_until_ready(10)
    sender = threading.Thread(target=sent.delay)
    sender.start()
    assert done.wait(10)
    sender.join()
    assert threads[0] != threading.main_thread().name


def test_the_schedule_is_kept(app, tasks, done):
    def sweep():
        done.set()

    app.task(name="sweep", shared=False)(sweep)
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": 0.05}}
    tasks.start()
    assert done.wait(10)


def test_a_task_that_raises_does_not_stop_the_next(app, tasks, done):
    calls = []

    def sweep():
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError
        done.set()

    app.task(name="sweep", shared=False)(sweep)
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": 0.05}}
    tasks.start()
    assert done.wait(10)


def test_stopping_finishes_the_task_at_hand(app, tasks):
    began, finished, go_on = threading.Event(), threading.Event(), threading.Event()

    def work():
        began.set()
        go_on.wait(10)
        finished.set()

    sent = app.task(name="work", shared=False)(work)
    tasks.start()
    assert tasks.wait_until_ready(10)
    sent.delay()
    assert began.wait(10)
    threading.Timer(0.1, go_on.set).start()
    tasks.stop()
    assert finished.is_set()


def test_after_stopping_no_thread_is_left(tasks):
    tasks.start()
    assert tasks.wait_until_ready(10)
    assert tasks.alive
    tasks.stop(wait_s=10)
    assert not tasks.alive
    assert [
        thread.name for thread in threading.enumerate() if thread.name.startswith(("celery", "Beat"))
    ] == []


def test_stopping_before_it_was_ready_starts_nothing_afterwards(tasks):
    tasks.start()
    tasks.stop(wait_s=10)
    assert not tasks.alive

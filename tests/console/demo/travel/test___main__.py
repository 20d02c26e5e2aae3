import logging

from console.demo.travel.__main__ import not_cut_off


def line(text):
    return logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, text, (), None)


def test_requests_that_are_cut_off_at_the_end_are_no_news_and_a_fault_is():
    assert not not_cut_off(line("Cancel %s running task(s), timeout graceful shutdown exceeded"))
    assert not_cut_off(line("Exception in ASGI application\n"))

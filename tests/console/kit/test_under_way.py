import threading

from console.kit import under_way
from console.kit.under_way import UnderWay


def all_ended(going):
    told = []
    while len(going):
        told += going.ended(0.01)
    return dict(told)


def test_each_answer_comes_back_with_its_message_and_a_fault_of_ours_is_an_answer():
    def send(message):
        if message == "bad":
            raise LookupError("no such word")
        return {"fine": "", "refused": "HTTP 500"}[message]

    going = UnderWay(send)
    for message in ("fine", "refused", "bad"):
        going.begin(message, message, name=message)
    assert all_ended(going) == {"fine": "", "refused": "HTTP 500", "bad": "LookupError: no such word"}


def test_one_that_does_not_answer_holds_up_no_other_and_is_given_up(monkeypatch):
    stuck = threading.Event()
    going = UnderWay(lambda message: stuck.wait(30) and "" if message == "stuck" else "")
    going.begin(1, "stuck", name="stuck")
    going.begin(2, "fine", name="fine")
    ended = []
    while not ended:
        ended = going.ended(0.01)
    assert (ended, going.messages()) == ([("fine", "")], ["stuck"])
    monkeypatch.setattr(under_way, "PATIENCE_S", 0.0)
    assert all_ended(going) == {"stuck": "No answer within 0 s."}
    stuck.set()


def test_it_is_full_at_a_number(monkeypatch):
    monkeypatch.setattr(under_way, "AT_ONCE", 1)
    going = UnderWay(lambda _message: "")
    assert not going.full()
    going.begin(1, "x", name="x")
    assert going.full()
    assert all_ended(going) == {"x": ""}

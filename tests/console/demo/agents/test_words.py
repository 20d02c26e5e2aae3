import pytest

from console.demo.agents import words

TRIP = {"trip": "TB-1", "traveller": "T-5071", "from": "SHA", "to": "PEK", "date": "2026-12-12"}


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            {"seat": "window", "upgrade": True},
            "Book Shanghai to Beijing on 12 December for traveller T-5071, window seat, upgraded with points if the balance allows.",
        ),
        ({}, "Book Shanghai to Beijing on 12 December for traveller T-5071, any seat."),
        ({"seat": "靠窗"}, "为旅客 T-5071 预订 12 月 12 日上海至北京航班，靠窗。"),
        (
            {"seat": "靠窗", "upgrade": True},
            "为旅客 T-5071 预订 12 月 12 日上海至北京航班，靠窗；若积分足够则升舱。",
        ),
        ({"booking": "H-1", "amount": "480.00"}, "Refund 480.00 of booking H-1 to traveller T-5071."),
        (
            {"group": "G-2", "size": 4},
            "Seat 4 travellers of group G-2 from Shanghai to Beijing and issue their passes.",
        ),
        (
            {"group": "G-2", "size": 4, "note": "一起"},
            "为 G-2 团 4 人办理值机，尽量坐在一起，并一起出登机牌。",
        ),
    ],
)
def test_the_goal_is_said_in_the_language_of_the_request(wish, sentence):
    assert words.goal(TRIP | wish) == sentence


def test_an_airport_nobody_knows_keeps_its_code():
    assert words.city("ZZZ") == "ZZZ"

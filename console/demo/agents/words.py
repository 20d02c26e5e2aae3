"""Sentences about a trip, in the language of the person who asked for it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

CITIES = {
    "SHA": ("Shanghai", "上海"), "PVG": ("Shanghai", "上海"), "PEK": ("Beijing", "北京"), "PKX": ("Beijing", "北京"),
    "BJS": ("Beijing", "北京"), "CAN": ("Guangzhou", "广州"), "SZX": ("Shenzhen", "深圳"), "CTU": ("Chengdu", "成都"),
    "HGH": ("Hangzhou", "杭州"), "XIY": ("Xi'an", "西安"), "HRB": ("Harbin", "哈尔滨"), "SYX": ("Sanya", "三亚"),
}  # fmt: skip
ENGLISH_SEATS = {"window": "window seat", "aisle": "aisle seat", "any": "any seat"}

Wish = Mapping[str, Any]


def is_chinese(wish: Wish) -> bool:
    """Whether the request was written in Chinese; its seat wish tells."""
    return any("\u4e00" <= sign <= "\u9fff" for sign in str(wish.get("seat", "")) + str(wish.get("note", "")))


def goal(wish: Wish) -> str:
    """What the agent is to achieve, in one sentence."""
    if "booking" in wish:
        return f"Refund {wish['amount']} of booking {wish['booking']} to traveller {wish['traveller']}."
    if "group" in wish:
        return _group_goal(wish)
    return _chinese_goal(wish) if is_chinese(wish) else _english_goal(wish)


def city(code: str, *, chinese: bool = False) -> str:
    """The city of an airport."""
    return CITIES.get(code, (code, code))[int(chinese)]


def day(text: str, *, chinese: bool = False) -> str:
    """A day as people say it, without the year."""
    when = date.fromisoformat(text)
    return f"{when.month} 月 {when.day} 日" if chinese else f"{when.day} {when:%B}"


def _english_goal(wish: Wish) -> str:
    route = f"Book {city(wish['from'])} to {city(wish['to'])} on {day(wish['date'])}"
    seat = ENGLISH_SEATS.get(str(wish.get("seat", "any")), "any seat")
    ends = ", upgraded with points if the balance allows." if wish.get("upgrade") else "."
    return f"{route} for traveller {wish['traveller']}, {seat}{ends}"


def _chinese_goal(wish: Wish) -> str:
    route = f"{city(wish['from'], chinese=True)}至{city(wish['to'], chinese=True)}"
    ends = "；若积分足够则升舱。" if wish.get("upgrade") else "。"
    when = day(wish["date"], chinese=True)
    return f"为旅客 {wish['traveller']} 预订 {when}{route}航班，{wish['seat']}{ends}"


def _group_goal(wish: Wish) -> str:
    if is_chinese(wish):
        return f"为 {wish['group']} 团 {wish['size']} 人办理值机，尽量坐在一起，并一起出登机牌。"
    route = f"{city(wish['from'])} to {city(wish['to'])}"
    ends = " Ask for an upgrade of the leader if the points allow." if wish.get("upgrade") else ""
    return (
        f"Seat {wish['size']} travellers of group {wish['group']} from {route} and issue their passes.{ends}"
    )

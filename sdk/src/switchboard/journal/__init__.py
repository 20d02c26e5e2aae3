"""What a session has done, written down before and after each effect."""

from switchboard.journal.entry import SETTLED, TRANSITIONS, Entry, State, WrongTransition
from switchboard.journal.memory import MemoryJournal
from switchboard.journal.sqlite import SqliteJournal
from switchboard.journal.store import HandedOver, Journal, KeyTaken, SessionBusy

__all__ = [
    "SETTLED",
    "TRANSITIONS",
    "Entry",
    "HandedOver",
    "Journal",
    "KeyTaken",
    "MemoryJournal",
    "SessionBusy",
    "SqliteJournal",
    "State",
    "WrongTransition",
]

import logging

import pytest

import switchboard
from switchboard._quiet import forget, once, quiet


def test_a_fault_of_ours_is_swallowed_and_said_once(caplog):
    with switchboard.loud(False), caplog.at_level(logging.WARNING, "switchboard"):
        for _ in range(3):
            with quiet("counting sheep"):
                raise ValueError("no sheep")
    assert [each.message for each in caplog.records if each.name == "switchboard"] == [
        "Switchboard failed while counting sheep; the agent goes on."
    ]


def test_a_fault_of_ours_comes_out_where_the_loud_mode_is_on():
    with switchboard.loud(), pytest.raises(ValueError, match="no sheep"), quiet("counting sheep"):
        raise ValueError("no sheep")


def test_leaving_the_loud_block_puts_the_earlier_mode_back():
    with switchboard.loud(False):
        with switchboard.loud():
            pass
        with quiet("x"):
            raise ValueError("swallowed again")


def test_interrupts_are_never_swallowed():
    with switchboard.loud(False), pytest.raises(KeyboardInterrupt), quiet("x"):
        raise KeyboardInterrupt


def test_a_line_is_said_once_until_it_is_forgotten():
    assert [once("a"), once("a"), once("b")] == [True, False, True]
    forget()
    assert once("a")

"""A plan as a graph: depth by what a step waits for, and the point of no return."""

from dataclasses import replace

from escalations.pages.plan_graph import places
from tests.escalations.pages.test_plan_words import step


def plan(*steps):
    return [replace(each, n=n) for n, each in enumerate(steps, start=1)]


def test_a_step_stands_below_what_it_waits_for():
    look, send = step("s1", "look", "read"), step("s2", "send", after="s1", ended="empty")
    tell = replace(step("s3", "tell", reversible=True), depends_on=("s1", "s2"))
    found = places(plan(look, send, tell))
    assert [found[name].depth for name in ("s1", "s2", "s3")] == [0, 1, 2]
    assert [found[name].after for name in ("s1", "s2", "s3")] == [(), (1,), (1, 2)]
    assert [found[name].no_return for name in ("s1", "s2", "s3")] == [False, True, False]


def test_one_step_alone_and_a_plan_of_reads_have_no_turning_point():
    assert not places(plan(step("s1", "send")))["s1"].no_return
    assert not any(
        each.no_return for each in places(plan(step("a", "x", "read"), step("b", "y", "read"))).values()
    )


def test_no_depth_is_without_end_and_what_is_not_there_counts_for_nothing():
    steps = [step("s0", "t")] + [
        replace(step(f"s{n}", "t"), depends_on=(f"s{n - 1}", "gone")) for n in range(1, 9)
    ]
    assert max(each.depth for each in places(plan(*steps)).values()) == 4

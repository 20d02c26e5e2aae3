"""Charts are numbers from Python: nothing else gets into the SVG, and a gap stays a gap."""

import re

from console.templatetags.charts import bars, column_chart, line_chart, share_bar, spark


def points(svg):
    return re.findall(r'points="([^"]+)"', svg)


def test_a_line_runs_from_left_to_right_and_from_nought_up():
    (line,) = points(spark([0, 5, 10]))
    assert line == "0.0,16.0 42.0,9.0 84.0,2.0"


def test_no_data_is_a_gap_and_not_nought():
    assert len(points(spark([1, 1, None, 1, 1]))) == 2


def test_a_lone_point_is_still_seen():
    (line,) = points(spark([None, 3, None]))
    assert line == "42.0,2.0 43.0,2.0"


def test_nothing_draws_nothing():
    assert points(spark([])) == []
    assert points(line_chart([None, None])) == []


def test_the_period_before_is_dotted_and_on_the_same_scale():
    svg = line_chart([10, 10], [20, 20], 60)
    assert re.findall(r'class="([^"]+)"', svg) == ["ln soft", "ln"]
    assert points(svg) == ["0,4.0 1000,4.0", "0,31.0 1000,31.0"]


def test_a_share_stays_inside_its_track():
    assert 'width="100.0%"' in share_bar(1.7)
    assert 'width="0.0%"' in share_bar(None)


def test_the_bad_part_of_a_column_stands_on_top():
    svg = column_chart([(10, 4), (0, 0), (10, 0)], 72)
    assert re.findall(r'class="f-(\w+)"', svg) == ["line2", "bad", "line2"]


def test_bars_stand_side_by_side_and_nought_has_none():
    svg = bars([4, 0, 2], "hard", 44)
    assert re.findall(r'height="([\d.]+)"', svg) == ["40.0", "20.0"]
    assert 'class="f-hard"' in svg
    assert bars([], "hard") == ""


def test_a_line_may_stand_in_the_middle_of_its_steps_as_bars_do():
    (line,) = points(line_chart([1, 1], inside=True))
    assert line == "250,4.0 750,4.0"

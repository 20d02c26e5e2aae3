import pytest

from console.demo.travel.troubles import NONE, Outage, Trouble, Weather, planned, twist

DOWN = Trouble(status=503)


def test_planned_troubles_follow_the_attempts_and_end():
    assert [planned((DOWN, DOWN), attempt) for attempt in range(4)] == [DOWN, DOWN, NONE, NONE]


def test_the_last_trouble_may_stay_for_ever():
    stays = twist("declined", forever=True)
    assert planned((DOWN, stays), 7) == stays


@pytest.mark.parametrize(
    ("uptime_s", "away"), [(13.9, False), (14, True), (25.9, True), (26, False), (254, True)]
)
def test_an_outage_comes_lasts_goes_and_comes_again(uptime_s, away):
    outage = Outage("flight-api", first_s=14, lasts_s=12, every_s=240)
    assert outage.covers("flight-api", uptime_s) is away
    assert not outage.covers("dcs", uptime_s)


def test_an_outage_takes_every_tool_of_its_dependency_away():
    weather = Weather(outages=(Outage("psp", 0, 10, 100),))
    trouble = weather.trouble(dependency="psp", tool="pay.lookup", trip="t", attempt=0, uptime_s=5)
    assert trouble.status == 503


def test_noise_is_the_same_for_the_same_seed_and_about_as_much_as_asked_for():
    def hits(seed):
        weather = Weather(seed=seed, outages=(), noise={"flight.search": 0.1})
        asked = {"dependency": "flight-api", "tool": "flight.search", "attempt": 0, "uptime_s": 1}
        return [n for n in range(1000) if weather.trouble(trip=f"t{n}", **asked) != NONE]

    assert hits(1) == hits(1)
    assert hits(1) != hits(2)
    assert 60 < len(hits(1)) < 140


@pytest.mark.parametrize(
    ("status", "start"), [(502, "<html>"), (503, '{"code": "UNAVAILABLE"'), (429, '{"code": "RATE_')]
)
def test_each_status_answers_as_its_kind_of_server_does(status, start):
    body, _ = Trouble(status=status).answer().encoded()
    assert body.decode().startswith(start)

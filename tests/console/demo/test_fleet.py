import os
import signal

import pytest

from console.demo import fleet


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(fleet, "PATIENCE_S", 0.0)


@pytest.mark.live
@pytest.mark.embedded
def test_a_member_that_was_killed_is_started_again_and_all_end_together(impatient):
    said = []
    running = fleet.Fleet((fleet.Member("sleeper", ("http.server", "0")),), say=said.append)
    first = running.pids["sleeper"]
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    running.look()
    running.look()
    second = running.pids["sleeper"]
    assert second != first
    assert said == ["sleeper has ended (-9); it is started again."]
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def test_the_crew_is_the_service_and_one_process_for_each_key(tmp_path):
    crew = fleet.members(
        console="http://console",
        keys={"trip-booker": "k1", "group-desk": "k2"},
        data=tmp_path,
        rate=12,
        port=9,
    )
    assert [member.name for member in crew] == ["travel-service", "trip-booker", "group-desk"]
    assert crew[1].env == {"SWITCHBOARD_KEY": "k1"}
    assert "k1" not in crew[1].argv
    assert crew[1].argv[-2:] == ("--rate", "12")


def test_a_free_port_is_one_that_can_be_taken():
    assert 0 < fleet.free_port() < 65_536

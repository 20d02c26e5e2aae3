"""The console itself as a process: it starts, is ready, survives being killed, and leaves nothing behind."""

import json
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.live import house as houses


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read()


def test_it_is_ready_when_every_part_of_it_is(house):
    status, body = get(f"{house.url}/readyz")
    assert (status, json.loads(body)["status"]) == (200, "ready")


def test_killed_at_once_it_starts_again_on_the_same_data_and_port(house):
    house.sign_in_link("ana", "operator")
    house.kill()
    house.restart()
    assert get(f"{house.url}/healthz")[0] == 200
    assert "good once" in house.manage("person", "link", "ana")


@pytest.mark.embedded
def test_its_style_sheet_comes_compressed_and_for_ever(house):
    _, page = get(f"{house.url}/signin/")
    path = page.decode().split('<link rel="stylesheet" href="')[1].split('"')[0]
    with urllib.request.urlopen(house.url + path, timeout=10) as answer:
        assert answer.headers["Cache-Control"].endswith("immutable")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.embedded
def test_a_second_process_on_the_same_data_is_refused_in_one_sentence(house):
    argv = [*houses.MANAGE, "serve", "--port", str(houses.free_port())]
    second = houses.subprocess.run(
        argv, env=house.env, capture_output=True, text=True, check=False, timeout=60
    )
    assert second.returncode != 0
    assert "Another process serves this data folder" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.embedded
@pytest.mark.parametrize("path", ["/ws/hints", "/ws/none"])
def test_a_socket_is_refused_to_strange_origins_and_at_strange_addresses(house, path):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(house.socket_url + path, origin="http://evil.example"),
    ):
        raise AssertionError("it let us in")
    assert refused.value.response.status_code == 403

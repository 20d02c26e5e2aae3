"""Each process has a socket of its own at the one address."""

import pickle
import socket
import sys

import pytest

from console.serving.processes import OneEach

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere uvicorn's one socket is shared")


def test_on_the_way_into_a_process_it_becomes_one_of_its_own():
    place = OneEach("127.0.0.1", 0)
    copies = [pickle.loads(pickle.dumps(place)) for _ in range(3)]
    try:
        assert {one.getsockname() for (one,) in copies} == {place[0].getsockname()}
        assert len({one.fileno() for one in (place[0], *[made for (made,) in copies])}) == 4
        for (one,) in copies:
            one.listen()
        with socket.create_connection(place[0].getsockname(), timeout=5):
            pass
    finally:
        for one in (place[0], *[made for (made,) in copies]):
            one.close()


def test_the_one_that_keeps_the_address_takes_no_connection():
    place = OneEach("127.0.0.1", 0)
    with place[0] as held, pytest.raises(ConnectionRefusedError):
        socket.create_connection(held.getsockname(), timeout=5)

import errno
import socket

from console.bootstrap.ports import sentence, why_not_listen


def test_a_free_port_is_not_refused():
    assert why_not_listen("127.0.0.1", 0) is None


def test_a_taken_port_is_named_with_what_to_do():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert why_not_listen("127.0.0.1", port) == (
            f"Port {port} on 127.0.0.1 is taken by another program: stop that one, or choose another with --port."
        )


def test_a_number_that_is_no_port_is_explained():
    assert (
        why_not_listen("127.0.0.1", 99999)
        == "There is no port 99999: choose one from 1024 to 65535 with --port."
    )


def test_a_low_port_is_explained():
    assert (
        sentence(errno.EACCES, "127.0.0.1", 80)
        == "Port 80 needs administrator rights: choose one above 1023 with --port."
    )


def test_an_address_of_another_machine_is_explained():
    assert "is not an address of this machine" in why_not_listen("192.0.2.1", 0)

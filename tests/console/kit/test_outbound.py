"""Where the console posts to, and where it does not; on real sockets of this machine."""

import ipaddress
import socket

import httpx2
import pytest

from console.kit import outbound
from tests.receivers import HttpReceiver

HERE = [ipaddress.ip_network("127.0.0.0/8")]


def posted(url, networks=HERE):
    with httpx2.Client(timeout=5, trust_env=False) as http:
        return outbound.post(http, url, body=b"{}", headers={"x-a": "b"}, networks=networks)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "[::1]", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::]", "255.255.255.255",
        "[fec0::1]", "[feff::1]", "192.0.0.1", "192.0.0.170", "[::ffff:192.0.0.8]",
    ],
)  # fmt: skip
def test_an_address_inside_is_refused_when_it_is_typed_in_and_when_it_is_posted_to(host):
    with pytest.raises(outbound.NotAllowed):
        outbound.check(f"http://{host}/hook", [])
    assert "NotAllowed" in posted(f"http://{host}/hook", networks=[])


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "http://",
        "file:///etc/passwd",
        "https://user:pw@example.com/",
        "x",
        "http://[::",
        "http://[",
        "http://a%2fb/",
        "http://a..b/",
    ],
)
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(outbound.NotAllowed):
        outbound.check(url, HERE)


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "169.254.170.2", "100.100.100.200",
        "[fd00:ec2::254]", "192.0.0.192",
    ],
)  # fmt: skip
def test_where_clouds_keep_their_secrets_no_setting_opens(host):
    everything = [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
    with pytest.raises(outbound.NotAllowed):
        outbound.check(f"http://{host}/latest/meta-data/", everything)
    assert "NotAllowed" in posted(f"http://{host}/latest/meta-data/", networks=everything)


def test_a_name_that_has_an_address_outside_and_one_inside_leads_outside_only(monkeypatch):
    asked = []

    def resolve(host, port, *_, **__):
        asked.append(host)
        found = ("127.0.0.1", "93.184.216.34") if host == "both.example.com" else (host,)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with HttpReceiver() as receiver:
        fault = posted(f"http://both.example.com:{receiver.port}/", networks=[])
        assert receiver.got == []
    assert "outside" in fault  # where no test may go
    assert asked == ["both.example.com", "93.184.216.34"]


def test_what_was_made_for_one_name_carries_nothing_for_another(monkeypatch):
    def resolve(host, port, *_, **__):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with HttpReceiver() as receiver, outbound.client() as http:
        for host in ("one.example.com", "two.example.com"):
            url = f"http://{host}:{receiver.port}/"
            assert outbound.post(http, url, body=b"{}", headers={}, networks=HERE) == ""
        assert http._transport._pool.connections == []
    assert [got.headers["host"].partition(":")[0] for got in receiver.got] == [
        "one.example.com",
        "two.example.com",
    ]


def test_a_public_address_and_an_allowed_network_are_fine():
    outbound.check("https://93.184.216.34/hook", [])
    outbound.check("https://hooks.example.com/services/T/B/x", [])
    outbound.check("http://127.0.0.1:8065/hooks/x", HERE)


def test_a_name_that_leads_inside_is_refused_and_one_that_may_be_reached_keeps_its_name(monkeypatch):
    def resolve(host, port, *_, **__):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with HttpReceiver() as receiver:
        url = f"http://hooks.example.com:{receiver.port}/services/x?a=1"
        assert "leads to no public address" in posted(url, networks=[])
        assert receiver.got == []
        assert posted(url) == ""
    (got,) = receiver.got
    assert (got.path, got.headers["host"]) == ("/services/x?a=1", f"hooks.example.com:{receiver.port}")
    assert (got.headers["x-a"], got.body) == ("b", b"{}")


def test_a_name_is_asked_once_so_that_it_cannot_change_its_meaning_between_check_and_connection(monkeypatch):
    asked = []

    def resolve(host, port, *_, **__):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with HttpReceiver() as receiver:
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        assert posted(f"http://rebound.example.com:{receiver.port}/") == ""
    assert asked.count("rebound.example.com") == 1


def test_a_redirect_is_not_followed_and_a_no_is_told_by_its_number():
    with HttpReceiver(302) as receiver:
        assert posted(receiver.url) == "HTTP 302"
        assert len(receiver.got) == 1


def test_a_closed_door_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        fault = posted(f"http://127.0.0.1:{taken.getsockname()[1]}/")
    assert fault.startswith("ConnectError")

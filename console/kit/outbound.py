"""Posting to addresses that people typed in: only to where the console may go, to the very address that was checked.

A name is resolved once and the connection goes to that address: a name that means something else a moment later
(DNS rebinding) leads nowhere new. Redirects are not followed, and of an answer only its status is read.
"""

import ipaddress
import re
import socket
from collections.abc import Mapping, Sequence

import httpx2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
PORTS = {"http": 80, "https": 443}
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # an IPv4 address behind NAT64
# Not public, though Python before 3.12.4 says so of them: site-local addresses, and those of the protocols themselves.
INSIDE = (ipaddress.IPv6Network("fec0::/10"), ipaddress.IPv4Network("192.0.0.0/24"))
# Where clouds tell a machine its own secrets. No setting opens these: an allowed network may contain them by accident.
NEVER = frozenset(
    ipaddress.ip_address(each)
    for each in ("169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23")
) | {ipaddress.IPv4Address("100.100.100.200"), ipaddress.IPv4Address("192.0.0.192")}
HOST = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")
WITHIN_S = 10.0


class NotAllowed(ValueError):
    """The address is one that the console does not post to."""


def client() -> httpx2.Client:
    """Give a client that posts: no proxy of the environment, no redirects, and no connection used twice.

    Two names may lead to one address, and a connection is known by its address: what was made for one name, with its
    certificate, must not carry what is meant for another.
    """
    once = httpx2.Limits(max_keepalive_connections=0)
    return httpx2.Client(timeout=WITHIN_S, follow_redirects=False, trust_env=False, limits=once)


def check(url: str, networks: Sequence[Network]) -> None:
    """Refuse an address that can be known to lead nowhere allowed, without asking anybody what its name means."""
    parts = _parts(url)
    if (literal := _literal(parts.host)) is not None and not _may_reach(literal, networks):
        raise NotAllowed(f"{parts.host} is not a public address, and WEBHOOK_NETWORKS does not allow it.")


def post(
    http: httpx2.Client, url: str, *, body: bytes, headers: Mapping[str, str], networks: Sequence[Network]
) -> str:
    """Post; give what went wrong in one line, blank for a 2xx."""
    try:
        parts = _parts(url)
        address = _resolved(parts, networks)
        request = http.build_request(
            "POST",
            parts.copy_with(host=str(address)),
            content=body,
            headers={**headers, "host": parts.netloc.decode("ascii")},
            extensions={"sni_hostname": parts.host},
        )
        answer = http.send(request, stream=True)
        answer.close()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as exc:
        return f"{type(exc).__name__}: {exc}"
    return "" if answer.is_success else f"HTTP {answer.status_code}"


def _parts(url: str) -> httpx2.URL:
    try:
        parts = httpx2.URL(url)
    except (httpx2.InvalidURL, TypeError, ValueError) as exc:
        raise NotAllowed("This is no address that can be posted to.") from exc
    if parts.scheme not in PORTS or parts.userinfo or not _a_host(parts.host):
        raise NotAllowed("A webhook goes to an http or https address without a user name in it.")
    return parts


def _resolved(parts: httpx2.URL, networks: Sequence[Network]) -> Address:
    port = parts.port or PORTS[parts.scheme]
    found = socket.getaddrinfo(parts.host, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(place[4][0]).partition("%")[0]) for place in found]
    allowed = [address for address in addresses if _may_reach(address, networks)]
    if not allowed:
        raise NotAllowed(f"{parts.host} leads to no public address, and WEBHOOK_NETWORKS does not allow it.")
    return allowed[0]


def _a_host(host: str) -> bool:
    """Say whether this is an address or the letters, digits and hyphens of a name; anything else resolves to surprises."""
    return _literal(host) is not None or HOST.fullmatch(host) is not None


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _may_reach(address: Address, networks: Sequence[Network]) -> bool:
    address = _inner(address)
    if address in NEVER:
        return False
    if any(address in network for network in networks):
        return True
    if any(address in network for network in INSIDE):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _inner(address: Address) -> Address:
    """Give the IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address

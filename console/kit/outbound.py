"""Posting to addresses that people typed in: only to where the console may go, to the very address that was checked.

A name is resolved once and the connection goes to that address: a name that means something else a moment later
(DNS rebinding) leads nowhere new. Redirects are not followed, and of an answer only its status is read.
"""

import ipaddress
import socket
from collections.abc import Mapping, Sequence

import httpx2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
PORTS = {"http": 80, "https": 443}
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # an IPv4 address behind NAT64
# Not public, though Python before 3.12.4 says so of them: site-local addresses, and those of the protocols themselves.
INSIDE = (ipaddress.IPv6Network("fec0::/10"), ipaddress.IPv4Network("192.0.0.0/24"))


class NotAllowed(ValueError):
    """The address is one that the console does not post to."""


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
    if parts.scheme not in PORTS or not parts.host or parts.userinfo:
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


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _may_reach(address: Address, networks: Sequence[Network]) -> bool:
    address = _inner(address)
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

"""Which addresses are open to the world: everything else is somebody's inside, and no stranger's link leads there."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address

_Address = IPv4Address | IPv6Address

_CLOSED_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # "this network": Linux dials itself
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and the metadata service of one large cloud
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's host agent, on a public address
        "169.254.0.0/16",  # link-local: the metadata service of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation, as the next two marked so
        "192.88.99.0/24",  # 6to4 relays, withdrawn
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
_OPEN_V6 = ipaddress.IPv6Network("2000::/3")
# The only part of IPv6 that is handed out; loopback, link-local, unique-local and multicast lie outside.

_CLOSED_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments; Teredo is unwrapped before
        "2001:db8::/32",  # documentation, as the next one
        "3fff::/20",
        "3ffe::/16",  # the old test network
    )
)
_NAT64 = tuple(ipaddress.IPv6Network(network) for network in ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96"))
# Prefixes that end in an IPv4 address: the well-known one of NAT64, "IPv4-compatible", and SIIT.


def is_public(address: str) -> bool:
    """Say whether an address is one that anybody on the Internet may reach.

    An address that carries another one (IPv4-mapped, 6to4, Teredo, NAT64) is judged by what it carries. The standard
    library's `is_global` is not asked: in Python 3.11 it is wrong about multicast and about such carried addresses.

    Args:
        address: An IP address as text, with or without an interface (`fe80::1%eth0`); anything else is not public.

    Source:
        IANA special-purpose address registries; RFC 6890, 6052, 3056, 4380.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return _open_v4(parsed)
    carried = _carried(parsed)
    return all(_open_v4(inner) for inner in carried) if carried else _open_v6(parsed)


def _open_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _CLOSED_V4)


def _open_v6(address: IPv6Address) -> bool:
    return address in _OPEN_V6 and not any(address in network for network in _CLOSED_V6)


def _carried(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Give the IPv4 addresses that an IPv6 address leads to."""
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if address.teredo is not None:
        return address.teredo  # the relay and the client: both must be open
    if any(address in network for network in _NAT64):
        return (IPv4Address(int(address) & 0xFFFFFFFF),)
    return ()

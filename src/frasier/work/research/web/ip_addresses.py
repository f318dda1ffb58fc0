"""The guard of IP addresses: public ones are allowed, and the private ones that the founder named.

Link-local and metadata addresses are neither: no setting opens them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable

from frasier.kernel.errors import SourceError

Resolver = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""A function that resolves a host name to IP addresses, or raises OSError."""

_PORTS = {80, 443}

# ipaddress knows most of what is not public. These are the addresses that carry another address inside, or
# whose standing its versions judge differently.
_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "198.18.0.0/15",
        "240.0.0.0/4",
        "::/96",  # IPv4-compatible
        "::ffff:0:0/96",  # IPv4-mapped
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
    )
)


# Link-local addresses, and those at which clouds hand out a machine's credentials to whatever runs on it.
_CLOSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16",
        "fe80::/10",
        "100.100.100.200/32",  # Alibaba
        "168.63.129.16/32",  # Azure
        "192.0.0.192/32",  # Oracle
        "fd00:ec2::/32",  # Amazon
        "fd20:ce::254/128",  # Google
        "fd00:42::42/128",  # Scaleway
        "fd00:c1::a9fe:a9fe/128",  # Oracle
        # Which IPv4 address these carry cannot be read off them.
        "2001::/32",  # Teredo
        "64:ff9b:1::/48",  # NAT64
    )
)
# IPv6 networks whose addresses carry an IPv4 address, and how many bits follow it.
_CARRIERS = tuple(
    (ipaddress.IPv6Network(network), bits)
    for network, bits in (
        ("::/96", 0),
        ("::ffff:0:0/96", 0),
        ("::ffff:0:0:0/96", 0),
        ("64:ff9b::/96", 0),
        ("2002::/16", 80),
    )
)


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Resolve a host with the system's resolver, in its order of preference."""
    records = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in records))


def is_public(address: str) -> bool:
    """Whether `address` is reachable from the internet. False for an invalid address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(ip.version == network.version and ip in network for network in _REFUSED):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def is_closed(address: str) -> bool:
    """Whether `address`, or an IPv4 address embedded in it, is always refused."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    carried = (
        ipaddress.IPv4Address(int(ip) >> bits & 0xFFFF_FFFF) for network, bits in _CARRIERS if ip in network
    )
    return any(candidate in network for candidate in (ip, *carried) for network in _CLOSED)


def _named(host: str, port: int) -> str:
    """Format a host as in the setting."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _how_to_allow(setting: str, host: str, port: int) -> str:
    assignment = f"""{setting}='["{_named(host, port)}"]'"""
    return f"Where it is the founder's own, {assignment} allows it (a list: keep what stands there already)."


class AddressGuard:
    """A guard that resolves a host to allowed addresses, or refuses it. `setting` names those that are allowed."""

    def __init__(
        self,
        allow_private_hosts: frozenset[str],
        resolver: Resolver,
        *,
        setting: str = "FRASIER_WEB__ALLOW_PRIVATE_HOSTS",
    ) -> None:
        self._allowed = allow_private_hosts
        self._resolver = resolver
        self._setting = setting

    def is_named(self, host: str, port: int) -> bool:
        """Whether the founder named this host and port."""
        return _named(host, port) in self._allowed

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Return the checked addresses of `host`. Connect to these, never to the name again.

        Raises SourceError if the port or any address is not allowed, or the host is unknown.
        """
        named = self.is_named(host, port)
        try:
            ipaddress.ip_address(host)
            resolved: tuple[str, ...] = (host,)
        except ValueError:
            resolved = await self._resolve(host, port)
        if any(map(is_closed, resolved)):
            raise SourceError(
                f"{host} is refused: it is a link-local or cloud metadata address, which is never asked.",
                hint="Name an address that others can reach, too.",
            )
        if port not in _PORTS and not named:
            raise SourceError(
                f"{host}:{port} is refused: only the ports 80 and 443 are allowed.",
                hint=_how_to_allow(self._setting, host, port),
            )
        if not named and not all(is_public(address) for address in resolved):
            raise SourceError(
                f"{host} is refused: it is on a private network.",
                hint=_how_to_allow(self._setting, host, port),
            )
        return resolved

    async def _resolve(self, host: str, port: int) -> tuple[str, ...]:
        try:
            resolved = await self._resolver(host, port)
        except OSError as error:
            raise SourceError(f"{host} is unknown: its name does not resolve.") from error
        if not resolved:
            raise SourceError(f"{host} is unknown: its name has no address.")
        return resolved

"""Normalisation of web addresses, which refuses misleading spellings."""

from __future__ import annotations

import ipaddress
import re

import httpx2

from frasier.kernel.errors import SourceError
from frasier.kernel.text import shorten

_URL_CHARS_MAX = 2_000
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NOT_IN_URLS = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")
_NUMERIC_LABEL = re.compile(r"\d+|0x[0-9a-f]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_TRACKING = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|igshid)(?:=.*)?", re.IGNORECASE)
_IN_PROSE = re.compile(r"https?://[^\s<>\"'`|{}\\^]+", re.IGNORECASE)


def normalise_url(text: str) -> str:
    """Normalise a web address, without fragment and tracking parameters.

    Raises SourceError if it is no web address, carries a user name, or spells its host in a way that
    programs read differently (numbers for an IPv4 address, escapes, zones).
    """
    excerpt = shorten(text, 200)
    if len(text) > _URL_CHARS_MAX:
        raise SourceError(f"{excerpt} is longer than {_URL_CHARS_MAX:,} characters.")
    if _NOT_IN_URLS.search(text):
        raise SourceError(
            f"{excerpt!r} is not a web address: it holds blanks, backslashes or control characters."
        )
    try:
        url = httpx2.URL(text)
        port = url.port
    except (httpx2.InvalidURL, ValueError) as error:
        raise SourceError(f"{excerpt} is not a web address.") from error
    if url.scheme not in _DEFAULT_PORTS:
        raise SourceError(
            f"{excerpt} is not a web address: it begins neither with http:// nor with https://."
        )
    if url.userinfo:
        raise SourceError(
            f"{url.scheme}://{url.host} is refused: the address carries a user name or password."
        )
    host = _spell_host(url.raw_host.decode("ascii"), excerpt)
    if port == _DEFAULT_PORTS[url.scheme]:
        port = None
    if port is not None and not 0 < port < 65_536:
        raise SourceError(f"{excerpt} is not a web address: there is no port {port}.")
    path, mark, query = _spell_escapes(url.raw_path.decode("ascii")).partition("?")
    parameters = "&".join(part for part in query.split("&") if part and not _TRACKING.fullmatch(part))
    authority = host if port is None else f"{host}:{port}"
    # Parsed once more, because unescaped dots may form "." and ".." segments.
    return str(httpx2.URL(f"{url.scheme}://{authority}{path or '/'}{mark if parameters else ''}{parameters}"))


def _spell_host(host: str, excerpt: str) -> str:
    host = host.lower().removesuffix(".")
    if ":" in host:
        try:
            if "%" in host:
                raise ValueError("a zone means something on one machine only")
            return f"[{ipaddress.IPv6Address(host).compressed}]"
        except ValueError as error:
            raise SourceError(f"{excerpt} names no host that can be understood.") from error
    if not _HOST.fullmatch(host) or len(host) > 253:
        raise SourceError(f"{excerpt} names no host that can be understood.")
    if _NUMERIC_LABEL.fullmatch(host.rsplit(".", 1)[-1]):
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError as error:
            raise SourceError(f"{excerpt} is refused: it spells an IP address in an unusual way.") from error
    return host


def _spell_escapes(path: str) -> str:
    def spell(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if _UNRESERVED.fullmatch(character) else match[0].upper()

    return _ESCAPE.sub(spell, path)


def links_in(text: str) -> tuple[str, ...]:
    """Return the web addresses in prose, such as a directive, normalised, each once, in order."""
    links: dict[str, None] = {}
    for candidate in _IN_PROSE.findall(text):
        link = candidate.rstrip(".,;:!?*_…")
        for opening, closing in ("()", "[]"):  # a bracket around the address is not part of it
            while link.endswith(closing) and link.count(closing) > link.count(opening):
                link = link[:-1].rstrip(".,;:!?")
        try:
            links[normalise_url(link)] = None
        except SourceError:
            continue  # prose may hold anything; what is no address is no link
    return tuple(links)

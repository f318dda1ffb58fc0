"""The address and token of the external memory: unsafe ones are refused before they are used.

The message of a check begins with "must" and never repeats the value, which may hold a secret. Imports nothing heavy.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import SecretStr

API = "/api/v1"

_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")
_TOKEN = re.compile(r"[!-~]*")


def check_address(url: str) -> str:
    """Return the address of the service without /api/v1, normalised so that no two programs read it differently.

    Raises ValueError if it is not an address, holds a credential, or would send the token over the network in clear
    text.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("must be an address, such as https://memory.example.org") from None
    if parts.scheme not in {"http", "https"} or not (_is_ip(host) or _NAME.fullmatch(host)):
        raise ValueError("must be an address, such as https://memory.example.org")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError(
            "must hold neither a name, a password, a query nor a fragment; the token is set apart"
        )
    if parts.scheme == "http" and not _is_loopback(host):
        raise ValueError(
            "must begin with https://, as its token would be sent in clear; http:// is for loopback"
        )
    path = parts.path.rstrip("/").removesuffix(API)
    if not _PATH.fullmatch(path):
        raise ValueError("must have a plain path, or none")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port is None else f':{port}'}{path}"


def check_token(token: SecretStr) -> SecretStr:
    """Return the token without blanks around it; raise ValueError if it holds characters that no header can carry.

    The HTTP client would say so too, and quote it.
    """
    text = token.get_secret_value().strip()
    if not _TOKEN.fullmatch(text):
        raise ValueError("must hold plain characters and no blanks; it was copied wrongly")
    return SecretStr(text)


def name_of(address: str) -> str:
    """Return the name of a checked address for messages: its host and port."""
    return urlsplit(address).netloc


def _is_ip(host: str) -> bool:
    # A zone ("fe80::1%eth0") is of no use in a Host header.
    try:
        ip_address(host)
    except ValueError:
        return False
    return "%" not in host


def _is_loopback(host: str) -> bool:
    return ip_address(host).is_loopback if _is_ip(host) else host == "localhost"

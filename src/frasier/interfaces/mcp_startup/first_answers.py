"""The first answers to a host: what it asks before its model's first turn, from the catalog alone. Pure.

A host starts the server, says `initialize` (or `server/discover`, in the protocol of 2026) and asks for `tools/list`;
some do not wait longer than their model's first turn. To load the protocol's SDK and the tools takes a second. What is
answered here is what the SDK would answer; what is not understood for certain is left to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from frasier import __version__
from frasier.interfaces.tool_catalog import Introduction

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSION = "2026-07-28"
Check = Callable[[Any], bool]

_META = "io.modelcontextprotocol/"
_NESTED_MAX = 100
_CAPABILITIES: Mapping[str, Any] = {"tools": {"listChanged": False}}


@dataclass(slots=True)
class FirstAnswers:
    """The answers to a host until the server takes over. Each method may be called from any thread.

    `taken` are the lines that were answered and that the server has to be told of, the opening request first.
    """

    introduction: Introduction
    tools: Collection[str]
    taken: list[str] = field(default_factory=list)
    _enveloped: bool = False
    _handshake_due: bool = False
    _over: bool = False
    _lock: Lock = field(default_factory=Lock)

    def answer(self, line: str) -> bytes | None:
        """The answer to a line, empty where none is due; None where the line is the server's to answer."""
        with self._lock:
            if self._over:
                return None
            message = _message(line)
            result = self._result(line, message) if message is not None else None
            if result is None or message is None:
                # The first request decides which protocol is spoken: one that is not understood is not passed over.
                self._over = not self.taken
                return None
            if "id" not in message:
                return b""
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def take_over(self) -> list[str]:
        """Stop answering, and return the lines that the server has to know."""
        with self._lock:
            self._over = True
            return self.taken

    def _result(self, line: str, message: Mapping[str, Any]) -> Mapping[str, Any] | None:
        method, params = message["method"], message.get("params") or {}
        if "id" not in message:
            told = not self._enveloped and self.taken and method == "notifications/initialized" and not params
            self.taken += [line] if told else []
            return {} if told else None
        if method == "ping" and not self._enveloped and _is_plain(params):
            self._handshake_due = True
            return {}
        if not self.taken:
            result = None
            if method == "initialize":
                result = self._initialized(params)
            elif not self._handshake_due:
                result = self._enveloped_result(method, params)
            if result is not None:
                self._enveloped = method != "initialize"
                self.taken.append(line)
            return result
        if self._enveloped:
            return self._enveloped_result(method, params)
        if method == "tools/list" and _is_plain(params) and params.get("cursor") is None:
            return {"tools": self.introduction.listing(self.tools)}
        return None

    def _initialized(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        match params:
            case {
                "protocolVersion": str() as asked,
                "capabilities": capabilities,
                "clientInfo": client,
            } if _is_plain(params) and _is_client(client) and _are_capabilities(capabilities):
                return {
                    "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
                    "capabilities": _CAPABILITIES,
                    "serverInfo": self._server(),
                    "instructions": self.introduction.instructions(self.tools),
                }
        return None

    def _enveloped_result(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The answer in the protocol in which each request says in an envelope what a handshake says once."""
        meta = params.get("_meta")
        if params.keys() != {"_meta"} or not isinstance(meta, dict) or not _is_envelope(meta):
            return None
        stamp = {f"{_META}serverInfo": self._server()}
        shared = {"_meta": stamp, "cacheScope": "private", "resultType": "complete", "ttlMs": 0}
        match method:
            case "server/discover":
                return {
                    "supportedVersions": [ENVELOPE_VERSION],
                    "capabilities": _CAPABILITIES,
                    "instructions": self.introduction.instructions(self.tools),
                    **shared,
                }
            case "tools/list":
                return {"tools": self.introduction.listing(self.tools), **shared}
        return None

    def _server(self) -> dict[str, str]:
        return {"name": self.introduction.name, "title": self.introduction.title, "version": __version__}


def _message(line: str) -> dict[str, Any] | None:
    """The request or notification that a line is; None where it is anything else, or larger than any greeting."""
    if line.count("{") + line.count("[") > _NESTED_MAX:
        return None
    try:
        message = json.loads(line, parse_constant=_refuse)
    except ValueError:
        return None
    match message:
        case {"jsonrpc": "2.0", "method": str(), **more} if more.keys() <= {"id", "params"}:
            request = more.get("id", 0)
            if isinstance(request, str | int) and not isinstance(request, bool):
                return message if _may_be(dict)(more.get("params")) else None
    return None


def _refuse(_constant: str) -> float:
    raise ValueError("NaN and Infinity are no JSON")


def _may_be(kind: type) -> Check:
    return lambda value: value is None or isinstance(value, kind)


def _object(**members: Check) -> Check:
    """Keep of an object only what the protocol knows: servers of any version ignore the rest."""
    return lambda value: (
        value is None
        or (isinstance(value, dict) and all(check(value.get(name)) for name, check in members.items()))
    )


def _objects(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()))


def _is_icon(value: Any) -> bool:
    """Whether it says where an icon is, and no more than what it is: sizes and themes are the server's to check."""
    return (
        isinstance(value, dict)
        and value.keys() <= {"src", "mimeType"}
        and isinstance(value.get("src"), str)
        and _may_be(str)(value.get("mimeType"))
    )


def _are_icons(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(map(_is_icon, value)))


def _is_plain(params: Mapping[str, Any]) -> bool:
    """Whether the protocol of the handshake is spoken, with nothing about the request but where to tell of progress."""
    meta = params.get("_meta")
    if not _may_be(dict)(meta):
        return False
    token = (meta or {}).get("progressToken", "")
    return (
        isinstance(token, str | int)
        and not isinstance(token, bool)
        and not any(name.startswith(_META) for name in meta or {})
    )


def _is_envelope(meta: Mapping[str, Any]) -> bool:
    known = {f"{_META}{name}" for name in ("protocolVersion", "clientInfo", "clientCapabilities")}
    return (
        meta.keys() <= known
        and meta.get(f"{_META}protocolVersion") == ENVELOPE_VERSION
        and _are_capabilities(meta.get(f"{_META}clientCapabilities"))
        and _is_client(meta.get(f"{_META}clientInfo", {"name": "", "version": ""}))
    )


_TEXT = _may_be(str)
_is_said_of_a_client = _object(title=_TEXT, description=_TEXT, websiteUrl=_TEXT, icons=_are_icons)
_ANY_OBJECT = _object()
CAPABILITIES: Mapping[str, Check] = {
    "experimental": _objects,
    "extensions": _objects,
    "sampling": _object(context=_ANY_OBJECT, tools=_ANY_OBJECT),
    "elicitation": _object(form=_ANY_OBJECT, url=_ANY_OBJECT),
    "roots": _object(listChanged=_may_be(bool)),
    "tasks": _object(
        list=_ANY_OBJECT,
        cancel=_ANY_OBJECT,
        requests=_object(
            sampling=_object(createMessage=_ANY_OBJECT), elicitation=_object(create=_ANY_OBJECT)
        ),
    ),
}
"""Checks of the capabilities that a client declares, by their names in the protocol."""
_are_known_capabilities = _object(**CAPABILITIES)


def _is_client(client: Any) -> bool:
    return (
        isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
        and _is_said_of_a_client(client)
    )


def _are_capabilities(capabilities: Any) -> bool:
    return isinstance(capabilities, dict) and _are_known_capabilities(capabilities)

"""Errors as problem details (RFC 9457), for the resources; the older endpoints keep their own form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.types import Scope

from frasier.interfaces.resources import API

PROBLEM_JSON = "application/problem+json"
TYPE_PREFIX = "urn:frasier:problem:"

_OLDER = frozenset(f"{API}/{name}" for name in ("health", "query", "contribute", "memory", "tools"))


def answers_plain(scope: Scope) -> bool:
    """Return whether errors at this path have the form {"error": …} that agents outside rely on."""
    path = scope.get("path", "")
    return path in _OLDER or path.startswith(f"{API}/tools/")


def problem(facts: Mapping[str, Any], *, status: int, request_id: str) -> dict[str, Any]:
    """Return the facts of an error as problem details: its code is the type, our other facts are members beside."""
    code = str(facts["code"])
    return {
        "type": f"{TYPE_PREFIX}{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": facts["message"],
        "instance": f"urn:frasier:request:{request_id}",
        **{name: value for name, value in facts.items() if name != "message"},
    }

"""Gates of the design: there is one to work from, its version is new, and a revised one answers the criticism."""

from __future__ import annotations

import re

from frasier.board.gates.gate import Gate
from frasier.store import Tx
from frasier.workflow import MoveRequest

_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_FIRST = (0, 0, 1)
_BUILDERS = frozenset({"dev", "qa"})
_QUOTED_CHARS = 50
_SEEN = "design_version"


async def _design(_tx: Tx, request: MoveRequest) -> str:
    if request.task.role in _BUILDERS and not request.text("pdsa_ref"):
        return f"there is no design for {request.task.role} to work from"
    return ""


async def _version(_tx: Tx, request: MoveRequest) -> str:
    version = _version_of(request.text("pdsa_ref"))
    if version is None:
        return "pdsa_ref names no version, such as v0.0.1 in …/v0.0.1.md"
    if not request.task.strikes and version != _FIRST:
        return f"a first design is {_named(_FIRST)}, not {_named(version)}"
    highest = max(_FIRST, _version_of(request.text(_SEEN)) or _FIRST)
    if request.task.strikes and version <= highest:
        return f"a design that was sent back needs a higher version than {_named(highest)}"
    return ""


def seen_version(request: MoveRequest) -> dict[str, str]:
    """Return the highest version that was handed in or sent back so far, for the task to keep; empty if there is none.

    Both are compared: a link can be edited between them, and neither of the two versions is a new one afterwards.
    """
    rule, declared = request.rule, request.task.definition.fields
    version = _version_of(request.text("pdsa_ref"))
    if _SEEN not in declared or version is None or not (rule.strike or VERSION.name in rule.gates):
        return {}
    return {_SEEN: _named(max(version, _version_of(request.text(_SEEN)) or version))}


def _version_of(text: str) -> tuple[int, ...] | None:
    """Return the last version that a text names."""
    found = _VERSION.findall(text)
    return tuple(int(part) for part in found[-1]) if found else None


def _named(version: tuple[int, ...]) -> str:
    return f"v{'.'.join(map(str, version))}"


async def _context(_tx: Tx, request: MoveRequest) -> str:
    if not request.task.strikes:
        return ""
    criticism, answer = request.text("rework_reason"), request.text("rework_context")
    if not answer:
        return "rework_context does not say how this answers what was said against it"
    if criticism[:_QUOTED_CHARS] not in answer:
        return f"rework_context does not quote what was said: {criticism[:_QUOTED_CHARS]!r}"
    return ""


DESIGN = Gate(
    name="design",
    meaning="there is a design for those who test and build",
    hint="Have it designed first; pdsa_ref must hold the link of the design.",
    check=_design,
    reads=("pdsa_ref",),
)
VERSION = Gate(
    name="version",
    meaning="the version in the design's path is v0.0.1 at first, and higher after each rejection",
    hint="Store a new design under a new version, and link to that.",
    check=_version,
    reads=("pdsa_ref", _SEEN),
)
REWORK_CONTEXT = Gate(
    name="rework_context",
    meaning="rejected work answers the reason of the rejection, and quotes it",
    hint=f"Quote the first {_QUOTED_CHARS} characters of rework_reason, or all of a shorter one, in rework_context, and"
    " say what you did.",
    check=_context,
    reads=("rework_context", "rework_reason"),
)

"""Links as a tree: the causes of a memory apart from its effects, and what contradicts it apart from both."""

from __future__ import annotations

import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frasier.interfaces.cli.output import Cell, short
from frasier.kernel.text import shorten

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

_CAUSES = {
    "caused_by": "caused by",
    "enabled_by": "made possible by",
    "supported_by": "supported by",
    "derived_from": "derived from",
    "supersedes": "in the place of",
}
_EFFECTS = {
    "led_to": "led to",
    "enables": "made possible",
    "supports": "supports",
    "derivatives": "the ground of",
    "superseded_by": "replaced by",
}
_CONTRADICTIONS = {"contradicts": "contradicts"}
_SIDES = (("What led to it", _CAUSES), ("What came of it", _EFFECTS), ("What contradicts", _CONTRADICTIONS))
_NAME_CHARS_MIN, _NAME_CHARS_MAX = 16, 100
_EVIDENCE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """A link on the way: `near` is the id of the memory from which it goes out."""

    words: str
    near: str
    step: Mapping[str, Any]


def every_step(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps of every role, each link once."""
    roles = (role for _, roles in _SIDES for role in roles)
    return list({step["edge_id"]: step for role in roles for step in data.get(role, ())}.values())


def add_sides(page: Page, data: Mapping[str, Any]) -> None:
    """Puts a tree for each side that has links on the page."""
    root = data["memory"]["id"]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1_000
    names = {step["id"]: shorten(step["title"], _NAME_CHARS_MAX) for step in every_step(data)}
    for title, roles in _SIDES:
        outgoing = _outgoing(data, roles, root)
        if any(outgoing.values()):
            page.heading(title)
            for line in _lines(outgoing, root, width, path="", told={root}):
                page.line(*line)
            # A contradiction may hang on a cause, which is on another side: its branches need a name to hang on.
            reached = {met.step["id"] for found in outgoing.values() for met in found}
            for near in sorted(outgoing.keys() - reached - {root}):
                page.line(names.get(near, short(near)))
                for line in _lines(outgoing, near, width, path="", told={near}):
                    page.line(*line)


def _outgoing(data: Mapping[str, Any], roles: Mapping[str, str], root: str) -> dict[str, list[_Met]]:
    """The links of one side by the memory that they go out from, the strongest path first."""
    found: dict[str, list[_Met]] = defaultdict(list)
    for role, words in roles.items():
        for step in data.get(role, ()):
            near = step["path"][-2] if "path" in step else root
            found[near].append(_Met(words=words, near=near, step=step))
    for links in found.values():
        links.sort(key=lambda met: -met.step["path_strength"])
    return found


def _lines(
    outgoing: Mapping[str, list[_Met]], near: str, width: int, *, path: str, told: set[str]
) -> Iterator[list[Cell]]:
    """Each link once, with what goes out from its far end below it where that was not told before."""
    links = outgoing.get(near, [])
    for place, met in enumerate(links, start=1):
        last = place == len(links)
        below = path + ("   " if last else "│  ")
        yield _line(met, path + ("└─ " if last else "├─ "), width)
        if evidence := met.step.get("evidence"):
            room = max(min(width - len(below) - 2, _EVIDENCE_CHARS), _NAME_CHARS_MIN)
            yield [(below, "dim"), (f"“{shorten(' '.join(evidence.split()), room - 2)}”", "dim italic")]
        if met.step["id"] not in told:
            told.add(met.step["id"])
            yield from _lines(outgoing, met.step["id"], width, path=below, told=told)


def _line(met: _Met, branch: str, width: int) -> list[Cell]:
    step = met.step
    strength = f"  {step['strength']:.2f}"
    if "path" in step:
        strength += f" (path {step['path_strength']:.2f})"
    remarks = "".join(
        f", {remark}"
        for remark in (
            step["standing"] if step["standing"] != "live" else "",
            "automatic" if step["origin"] == "auto" else "",
            "closes a circle" if step.get("closes_cycle") else "",
        )
        if remark
    )
    identity = f"  {short(step['id'])}"
    room = width - len(branch) - len(met.words) - 1 - len(strength) - len(remarks) - len(identity)
    name = shorten(step["title"], min(max(room, _NAME_CHARS_MIN), _NAME_CHARS_MAX))
    return [
        (branch, "dim"),
        (f"{met.words} ", "cyan"),
        name,
        (strength, "green"),
        (remarks, "yellow"),
        (identity, "dim"),
    ]

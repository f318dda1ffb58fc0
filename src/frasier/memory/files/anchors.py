"""Named sections of a memory: `<!-- ANCHOR:id -->` … `<!-- /ANCHOR:id -->`. Pure; linear in any input.

A section is the text between an opening anchor and the first closing anchor of the same id after it. Sections of
different ids may overlap. Anchors in code or inside another comment are ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.text import shorten
from frasier.memory.files.markdown_outline import Comment, Outline, outline

ANCHOR_ID_CHARS_MAX = 200

_ANCHOR = re.compile(
    r"\s*+(?P<closes>/?)\s*+ANCHOR\s*+:\s*+(?P<id>[A-Za-z0-9][A-Za-z0-9/-]*+)\s*+", re.IGNORECASE | re.ASCII
)
# Comments that were evidently meant as anchors; malformed ones are reported, never ignored.
_LOOKS_LIKE_ONE = re.compile(
    r"\s*+(?:/\s*+ANCHOR(?![a-z])|ANCHOR\s*+:|ANCHOR[_ -]?END)", re.IGNORECASE | re.ASCII
)


class AnchorFault(StrEnum):
    """Fault of an anchor, with the number of the violated rule."""

    DUPLICATE = "PF001"
    CLOSED_UNOPENED = "PF002"
    NEVER_CLOSED = "PF003"
    MALFORMED = "E091"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorProblem:
    """A fault of an anchor; `line` counts from 1."""

    fault: AnchorFault
    anchor: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchoredSection:
    """A section, which is text[start:end] between the anchors; `line` is that of the opening anchor, from 1."""

    id: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """The sections of a text by id, in the order of their opening, and the faults of its anchors."""

    sections: Mapping[str, AnchoredSection]
    problems: tuple[AnchorProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The result of resolving requested ids: `found` pairs each with the id of a section; `missing` have none."""

    found: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]


def read_anchors(text: str, parts: Outline | None = None) -> Anchors:
    """Read the sections of `text` and the faults of its anchors. `parts` is its outline, if known."""
    parts = parts or outline(text)
    opened: dict[str, Comment] = {}
    sections: dict[str, AnchoredSection] = {}
    reopened: Counter[str] = Counter()
    problems: list[AnchorProblem] = []
    for comment in parts.comments:
        anchor = _ANCHOR.fullmatch(comment.inner)
        if anchor is None or len(anchor["id"]) > ANCHOR_ID_CHARS_MAX:
            problems += _malformed(comment)
        elif not anchor["closes"]:
            if anchor["id"] in opened:
                problems.append(_duplicate(comment, anchor["id"], opened))
                reopened[anchor["id"]] += 1
            opened.setdefault(anchor["id"], comment)
        elif anchor["id"] in opened and anchor["id"] not in sections:
            sections[anchor["id"]] = _section(anchor["id"], opened[anchor["id"]], comment)
        elif reopened[anchor["id"]]:
            reopened[anchor["id"]] -= 1  # closes a duplicate, which is reported already
        else:
            problems.append(_unopened(comment, anchor["id"]))
    problems += [_never_closed(name, opened[name], parts) for name in opened if name not in sections]
    return Anchors(
        sections=dict(sorted(sections.items(), key=lambda item: item[1].start)),
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
    )


def resolve(requested: Sequence[str], available: Iterable[str]) -> Resolution:
    """Resolve each requested id to a section: the exact id, else the shortest id that extends it after a hyphen.

    So `summary` finds `summary-2024-session`, but `sum` does not. Repeated requests count once.
    """
    ids = sorted(available)
    known = set(ids)
    found: list[tuple[str, str]] = []
    missing: list[str] = []
    for request in dict.fromkeys(requested):
        match = request if request in known else _shortest_extension(f"{request}-", ids)
        if match is None:
            missing.append(request)
        else:
            found.append((request, match))
    return Resolution(found=tuple(found), missing=tuple(missing))


def _shortest_extension(prefix: str, ids: Sequence[str]) -> str | None:
    first = at = bisect_left(ids, prefix)
    while at < len(ids) and ids[at].startswith(prefix):
        at += 1
    return min(ids[first:at], key=lambda name: (len(name), name), default=None)


def _section(name: str, opening: Comment, closing: Comment) -> AnchoredSection:
    return AnchoredSection(id=name, start=opening.end, end=closing.start, line=opening.line)


def _unopened(comment: Comment, name: str) -> AnchorProblem:
    message = f"The anchor {name} is closed in line {comment.line} but was not opened."
    return AnchorProblem(fault=AnchorFault.CLOSED_UNOPENED, anchor=name, line=comment.line, message=message)


def _duplicate(comment: Comment, name: str, opened: Mapping[str, Comment]) -> AnchorProblem:
    return AnchorProblem(
        fault=AnchorFault.DUPLICATE,
        anchor=name,
        line=comment.line,
        message=f"The anchor {name} of line {opened[name].line} is opened again in line {comment.line}.",
    )


def _never_closed(name: str, opening: Comment, parts: Outline) -> AnchorProblem:
    message = f"The anchor {name} of line {opening.line} is never closed."
    endless = [fence.line for fence in parts.fences if not fence.closed]
    if endless:
        message += f" The code block of line {endless[0]} is never closed, so everything after it is code."
    return AnchorProblem(fault=AnchorFault.NEVER_CLOSED, anchor=name, line=opening.line, message=message)


def _malformed(comment: Comment) -> list[AnchorProblem]:
    if not _LOOKS_LIKE_ONE.match(comment.inner):
        return []
    written = shorten(" ".join(comment.inner[:400].split()), 80)
    message = (
        f"The comment in line {comment.line} is not a valid anchor: {written!r}. Use ANCHOR:id or /ANCHOR:id; an id"
        " has letters, digits, hyphens and slashes, and begins with a letter or a digit."
    )
    return [AnchorProblem(fault=AnchorFault.MALFORMED, anchor="", line=comment.line, message=message)]

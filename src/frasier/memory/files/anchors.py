"""Named sections of a memory: `<!-- ANCHOR:id -->` … `<!-- /ANCHOR:id -->`. Pure; linear in any input.

A section is the text between an opening and the first closing of the same id behind it. Sections of different
ids may hold one another. What stands in code, or within another comment, is text and opens nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.text import shorten
from frasier.memory.files.outline import Comment, Outline, outline

ANCHOR_ID_CHARS_MAX = 200

_ANCHOR = re.compile(
    r"\s*+(?P<closes>/?)\s*+ANCHOR\s*+:\s*+(?P<id>[A-Za-z0-9][A-Za-z0-9/-]*+)\s*+", re.IGNORECASE | re.ASCII
)
# Whoever wrote such a comment meant an anchor: it is reported, never passed over.
_LOOKS_LIKE_ONE = re.compile(
    r"\s*+(?:/\s*+ANCHOR(?![a-z])|ANCHOR\s*+:|ANCHOR[_ -]?END)", re.IGNORECASE | re.ASCII
)


class AnchorFault(StrEnum):
    """What can be wrong with an anchor, by the number of the rule."""

    DUPLICATE = "PF001"
    CLOSED_UNOPENED = "PF002"
    NEVER_CLOSED = "PF003"
    MALFORMED = "E091"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorProblem:
    """Something wrong with an anchor; `line` counts from 1."""

    fault: AnchorFault
    anchor: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """text[start:end] is what stands between the marks; `line` is the line of the opening mark, from 1."""

    id: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """The sections of a text by id, in the order of their opening, and everything that is wrong with them."""

    sections: Mapping[str, Section]
    problems: tuple[AnchorProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """`found` pairs what was asked for with the id that answers it; `missing` has no section."""

    found: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]


def read_anchors(text: str, parts: Outline | None = None) -> Anchors:
    """The sections of `text` and what is wrong with its anchors. `parts` is its outline where that is known."""
    parts = parts or outline(text)
    opened: dict[str, Comment] = {}
    sections: dict[str, Section] = {}
    again: Counter[str] = Counter()
    problems: list[AnchorProblem] = []
    for comment in parts.comments:
        found = _ANCHOR.fullmatch(comment.inner)
        if found is None or len(found["id"]) > ANCHOR_ID_CHARS_MAX:
            problems += _malformed(comment)
        elif not found["closes"]:
            if found["id"] in opened:
                problems.append(_duplicate(comment, found["id"], opened))
                again[found["id"]] += 1
            opened.setdefault(found["id"], comment)
        elif found["id"] in opened and found["id"] not in sections:
            sections[found["id"]] = _section(found["id"], opened[found["id"]], comment)
        elif again[found["id"]]:
            again[found["id"]] -= 1  # closes what was opened again, which is reported already
        else:
            problems.append(_unopened(comment, found["id"]))
    problems += [_never_closed(name, opened[name], parts) for name in opened if name not in sections]
    return Anchors(
        sections=dict(sorted(sections.items(), key=lambda item: item[1].start)),
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
    )


def resolve(requested: Sequence[str], available: Iterable[str]) -> Resolution:
    """Which sections answer a request: the exact id, else the shortest id that continues it behind a hyphen.

    So `summary` finds `summary-2024-session`, but `sum` finds neither. Each is asked for once.
    """
    ids = sorted(available)
    known = set(ids)
    found: list[tuple[str, str]] = []
    missing: list[str] = []
    for asked in dict.fromkeys(requested):
        answer = asked if asked in known else _continued(f"{asked}-", ids)
        if answer is None:
            missing.append(asked)
        else:
            found.append((asked, answer))
    return Resolution(found=tuple(found), missing=tuple(missing))


def _continued(prefix: str, ids: Sequence[str]) -> str | None:
    first = at = bisect_left(ids, prefix)
    while at < len(ids) and ids[at].startswith(prefix):
        at += 1
    return min(ids[first:at], key=lambda name: (len(name), name), default=None)


def _section(name: str, opening: Comment, closing: Comment) -> Section:
    return Section(id=name, start=opening.end, end=closing.start, line=opening.line)


def _unopened(comment: Comment, name: str) -> AnchorProblem:
    message = f"The anchor {name} is closed in line {comment.line} but not open there."
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
        message += f" The code block of line {endless[0]} does not end, so that everything behind it is code."
    return AnchorProblem(fault=AnchorFault.NEVER_CLOSED, anchor=name, line=opening.line, message=message)


def _malformed(comment: Comment) -> list[AnchorProblem]:
    if not _LOOKS_LIKE_ONE.match(comment.inner):
        return []
    written = shorten(" ".join(comment.inner[:400].split()), 80)
    message = (
        f"The comment in line {comment.line} is no anchor: {written!r}. It reads ANCHOR:id or /ANCHOR:id, and an id"
        " has letters, digits, hyphens and slashes, the first a letter or a digit."
    )
    return [AnchorProblem(fault=AnchorFault.MALFORMED, anchor="", line=comment.line, message=message)]

"""The findings of earlier steps: their cited lines, with scores."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import Predecessor
from frasier.llm.providers.rehearsal.draft import Line, statements
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.page import BESIDES, plain, plain_title
from frasier.llm.providers.rehearsal.quotable import Kind, quality
from frasier.llm.providers.rehearsal.selection import alike

_LABEL_CHARS_MAX = 80
_MISSING = re.compile(r"^>\s*-\s+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFindings:
    """The result of one step: its cited lines in order, their scores, and its open questions."""

    label: str
    lines: tuple[Line, ...]
    standing: tuple[float, ...]
    missing: tuple[str, ...]

    @property
    def sources(self) -> frozenset[int]:
        return frozenset(number for line in self.lines for number in line.cited)

    def spread(self, count: int, *, without: Collection[object] = ()) -> tuple[Line, ...]:
        """Up to `count` lines, the first of every source before the second of any, in their order.

        Leaves out the lines whose keys are `without`.
        """
        rounds: dict[tuple[int, ...], int] = {}
        turns: list[tuple[int, float, int]] = []
        for at, line in enumerate(self.lines):
            if line.key not in without:
                rounds[line.cited] = rounds.get(line.cited, 0) + 1
                turns.append((rounds[line.cited], -self.standing[at], at))
        return tuple(self.lines[at] for at in sorted(at for _, _, at in sorted(turns)[:count]))


def findings_of(
    predecessors: Sequence[Predecessor], titles: Mapping[int, str], *, besides: bool = False
) -> tuple[StepFindings, ...]:
    """Collect the findings of the predecessors, in order; steps with the same question on other sources are merged.

    `titles` name the sources by number. With `besides` it collects quotes that are no answers.
    """
    labels = [_label(predecessor) for predecessor in predecessors]
    heads = [label.partition(": ")[0] for label in labels]
    texts: dict[str, list[str]] = {}
    for label, head, predecessor in zip(labels, heads, predecessors, strict=True):
        shared = BESIDES if besides else head if heads.count(head) > 1 else label
        texts.setdefault(shared, []).append(predecessor.text)
    cited = {number for parts in texts.values() for text in parts for number in _cited_in(text)}
    known = titles if len(cited) > 1 else {}
    return tuple(_finding(label, parts, known, besides=besides) for label, parts in texts.items())


def _label(predecessor: Predecessor) -> str:
    return shorten(plain(predecessor.title), _LABEL_CHARS_MAX) or plain(predecessor.agent) or "Findings"


def _cited_in(text: str) -> Iterator[int]:
    return (number for line in statements(text) for number in line.cited)


def _finding(label: str, texts: Sequence[str], titles: Mapping[int, str], *, besides: bool) -> StepFindings:
    need = need_of(label)
    lines = [line for text in texts for line in statements(text)]
    cited = [
        named_line(line, titles)
        for line in lines
        if line.cited and not line.is_table and (line.heading == BESIDES) is besides
    ]
    distinct = _distinct(cited)
    return StepFindings(
        label=label,
        lines=tuple(distinct),
        standing=tuple(_standing(line, need) for line in distinct),
        missing=tuple(dict.fromkeys(m[1].strip() for text in texts for m in _MISSING.finditer(text))),
    )


def _standing(line: Line, need: Need) -> float:
    met = 0.0 if line.is_revoked else need.share(line.evidence_under())
    return (0.2 + met) * quality(line.quote, Kind.PROSE)


def named_line(line: Line, titles: Mapping[int, str]) -> Line:
    """Return the line with the name of its source, where it has one source and says not which."""
    if line.source or not line.is_bullet or len(line.cited) != 1 or line.cited[0] not in titles:
        return line
    number = line.cited[0]
    return replace(line, text=f"- **{plain_title(titles[number], number)}**: {line.bare_text}")


def _distinct(lines: Iterable[Line]) -> list[Line]:
    distinct: list[Line] = []
    for line in lines:
        if not any(line.cited == other.cited and alike(line.stems, other.stems) for other in distinct):
            distinct.append(line)
    return distinct

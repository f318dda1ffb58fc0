"""The document of the final step: the cited lines of the earlier steps, question by question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from frasier.llm.prompt_inputs import SynthesizeInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.branches import compares
from frasier.llm.providers.rehearsal.comparison import comparison
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.draft import Line, statements
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.findings import StepFindings, findings_of, named_line
from frasier.llm.providers.rehearsal.follow_up_questions import need_in
from frasier.llm.providers.rehearsal.found_answers import Finder
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.open_points import NOTHING_CERTAIN, NOTHING_FOUND, merged_points
from frasier.llm.providers.rehearsal.page import (
    BESIDES,
    COMPARED,
    CitedPage,
    Group,
    alternately,
    plain,
    plain_title,
    render_to_fit,
)
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.task_wording import directive_title

_MET = 0.3
_BESIDES_MAX = 24
_TITLE_CHARS_MAX = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """The material of the page. `unmet` are the questions without a finding; `compares` asks for a table."""

    title: str
    compares: bool
    findings: tuple[StepFindings, ...]
    besides: tuple[Line, ...]
    open_points: tuple[str, ...]
    corpus: Corpus
    unmet: tuple[Need, ...]


def merge(inputs: SynthesizeInputs, tokens_max: int) -> str:
    """A section for each finding, a comparison by source where one is asked for, and what nobody found."""
    corpus = corpus_of(inputs.passages)
    everything = findings_of(inputs.brief.predecessors, corpus.titles)
    findings = tuple(finding for finding in everything if finding.lines)
    open_points = (point for finding in everything for point in finding.missing)
    asked_for = (*inputs.questions, *quoted_phrases(" ".join(inputs.feedback)))
    directive = inputs.brief.directive
    needs = (need_in(question, directive) for question in dict.fromkeys(asked_for) if not is_facet(question))
    besides = [
        [
            named_line(line, corpus.titles if len(corpus.titles) > 1 else {})
            for finding in findings_of([one], corpus.titles, besides=True)
            for line in finding.lines
        ]
        for one in inputs.brief.predecessors
    ]
    material = _Material(
        title=plain(directive_title(inputs.brief.directive, _TITLE_CHARS_MAX)) or "Findings",
        compares=compares(inputs.brief.directive),
        findings=findings,
        besides=tuple(alternately(besides)),
        open_points=tuple(point for point in open_points if not _is_answered(point, findings)),
        corpus=corpus,
        unmet=tuple(need for need in needs if not _is_met(need, findings)),
    )
    return render_to_fit(lambda lines: _page(material, lines), tokens_max)


def _page(material: _Material, lines: int) -> CitedPage:
    details: list[Group] = []
    quoted: set[object] = set()
    for finding in material.findings:
        # The answer to a question for values is complete; other statements are not repeated.
        is_complete = need_of(finding.label).is_checkable
        chosen = finding.spread(lines, without=() if is_complete else quoted) or finding.spread(1)
        quoted |= {line.key for line in chosen}
        details.append(Group(heading=finding.label, lines=tuple(map(_as_bullet, chosen))))
    table = comparison(material.findings, material.corpus.titles) if material.compares else None
    added, near, missing = _from_passages(material.corpus, material.unmet, lines)
    others = {
        line.key: _as_bullet(line) for line in reversed((*material.besides, *statements("\n".join(near))))
    }
    nearest = [text for key, text in reversed(others.items()) if key not in quoted]
    if any(group.lines for group in (*details, *added)) or not all(COMPARED in text for text in nearest):
        nearest = [text for text in nearest if COMPARED not in text]
    besides = Group(heading=BESIDES, lines=tuple(nearest[: min(lines, _BESIDES_MAX)]))
    answered = {group.heading.casefold() for group in added}
    open_points = [point for point in material.open_points if not _is_told_of(point, answered)]
    titles = [plain_title(title, number) for number, title in material.corpus.titles.items()]
    shown = "\n".join(line for group in (*details, *added, besides) for line in group.lines)
    quoted_sources = {line.source for line in statements(shown)}
    return CitedPage(
        title=material.title,
        searched=tuple(material.corpus.titles),
        groups=tuple(group for group in (*details, *added, table, besides) if group and group.lines),
        missing=merged_points(open_points, missing, titles=titles, quoted=quoted_sources),
    )


def _as_bullet(line: Line) -> str:
    return line.text if line.is_bullet else f"- {line.text}"


def _is_met(need: Need, findings: Sequence[StepFindings], *, holding: bool = False) -> bool:
    """Return whether a finding is about a need; with `holding` none that is revoked counts."""
    return any(
        need.share(line.evidence_under(finding.label)) >= _MET
        for finding in findings
        for line in finding.lines
        if not (holding and line.is_revoked)
    )


def _is_answered(point: str, findings: Sequence[StepFindings]) -> bool:
    """Whether another step answered the open question of one."""
    if point.startswith(NOTHING_CERTAIN):
        [name] = quoted_phrases(point)[:1] or [""]
        return any(_is_of(finding, name) for finding in findings)
    named = quoted_phrases(point.removeprefix(NOTHING_FOUND)) if point.startswith(NOTHING_FOUND) else ()
    return any(_is_met(need_of(name), findings, holding=True) for name in named)


def _is_told_of(point: str, answered: Collection[str]) -> bool:
    """Whether an open point says of an answered question that nothing answers it."""
    says_open = point.startswith((NOTHING_CERTAIN, NOTHING_FOUND))
    return says_open and any(name.casefold() in answered for name in quoted_phrases(point)[:1])


def _is_of(finding: StepFindings, name: str) -> bool:
    """Whether a finding answers the question of a name; either may be cut."""
    label, named = (text.rstrip("…").casefold() for text in (finding.label, name))
    return bool(label) and (label.startswith(named) or named.startswith(label))


def _from_passages(
    corpus: Corpus, unmet: Sequence[Need], lines: int
) -> tuple[list[Group], list[str], list[str]]:
    """Return sections for what no earlier step answered but the passages do, what is near, and what is missing."""
    taken: list[SourceStatement] = []
    answers = [Finder.of(need, corpus).answer(lines=lines, taken=taken) for need in unmet]
    groups = [Group(heading=answer.need.label, lines=answer.lines) for answer in answers if answer.lines]
    near = [line for answer in answers for line in answer.near]
    return groups, near, [note for answer in answers for note in answer.notes]

"""The document of the final step: the cited lines of the earlier steps, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.llm.prompt_inputs import SynthesizeInputs
from frasier.llm.providers.rehearsal.answers import NOTHING_FOUND, Finder
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.comparison import comparison
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.draft import Line
from frasier.llm.providers.rehearsal.evidence import Evidence
from frasier.llm.providers.rehearsal.findings import StepFindings, findings_of
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.page import (
    BESIDES,
    CitedPage,
    Group,
    plain,
    render_to_fit,
)
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.task_wording import directive_title

SUMMARY = "Summary"
_SUMMARY_LINES = {1: 4, 2: 3, 3: 2}
_MET = 0.3
_BESIDES_MAX = 24
_TITLE_CHARS_MAX = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """The material of the page. `unmet` are the questions without a finding."""

    title: str
    findings: tuple[StepFindings, ...]
    besides: tuple[Line, ...]
    open_points: tuple[str, ...]
    corpus: Corpus
    unmet: tuple[Need, ...]


def merge(inputs: SynthesizeInputs, tokens_max: int) -> str:
    """A summary, a comparison by source, a section for each finding, and what nobody found."""
    corpus = corpus_of(inputs.passages)
    everything = findings_of(inputs.brief.predecessors, corpus.titles)
    findings = tuple(finding for finding in everything if finding.lines)
    open_points = (point for finding in everything for point in finding.missing)
    asked_for = (*inputs.questions, *quoted_phrases(" ".join(inputs.feedback)))
    needs = (need_of(question) for question in dict.fromkeys(asked_for) if not is_facet(question))
    besides = findings_of(inputs.brief.predecessors, corpus.titles, besides=True)
    material = _Material(
        title=plain(directive_title(inputs.brief.directive, _TITLE_CHARS_MAX)) or "Findings",
        findings=findings or besides,
        besides=tuple(line for finding in besides for line in finding.lines),
        open_points=tuple(point for point in open_points if not _is_answered(point, findings)),
        corpus=corpus,
        unmet=tuple(need for need in needs if not _is_met(need, findings)),
    )
    return render_to_fit(lambda lines: _page(material, lines, answers=bool(findings)), tokens_max)


def _page(material: _Material, lines: int, *, answers: bool) -> CitedPage:
    summary, used = _summary(material.findings) if answers else (None, ())
    table, whole = comparison(material.findings, material.corpus.titles)
    quoted = {line.quote for line in (*used, *whole)}
    details: list[Group] = []
    for finding in material.findings:
        # Lines that the summary or the table shows in full are not repeated.
        if chosen := finding.spread(lines, without=quoted):
            quoted |= {line.quote for line in chosen}
            details.append(Group(heading=finding.label, lines=tuple(_as_bullet(line) for line in chosen)))
    others = [line for line in material.besides if line.quote not in quoted]
    if others:
        details.append(
            Group(
                heading=BESIDES, lines=tuple(_as_bullet(line) for line in others[: min(lines, _BESIDES_MAX)])
            )
        )
    added, missing = _from_passages(material.corpus, material.unmet, lines)
    overview = (group for group in (summary, table) if group)
    return CitedPage(
        title=material.title,
        groups=(*overview, *details, *added),
        missing=tuple(dict.fromkeys((*material.open_points, *missing))),
    )


def _summary(findings: Sequence[StepFindings]) -> tuple[Group, tuple[Line, ...]]:
    """The strongest lines of each finding, and how many sources stand behind it."""
    count = _SUMMARY_LINES.get(len(findings), 1)
    used: list[Line] = []
    quoted: list[str] = []
    for finding in findings:
        # One quote may be the best of two steps; then both show it.
        best = finding.spread(1)
        others = finding.spread(count - len(best), without={line.quote for line in (*used, *best)})
        for line in (*best, *others):
            used.append(line)
            quoted.append(_in_summary(finding, line) if len(findings) > 1 else _as_bullet(line))
    counted = "; ".join(f"{finding.label} from {_sources(len(finding.sources))}" for finding in findings)
    return Group(heading=SUMMARY, lines=(*quoted, "", f"> Evidence: {counted}.")), tuple(used)


def _in_summary(finding: StepFindings, line: Line) -> str:
    source = f" ({line.source})" if line.source and line.source not in finding.label else ""
    return f"- **{finding.label}**{source}: {line.bare_text}"


def _sources(count: int) -> str:
    return f"{count} source" if count == 1 else f"{count} sources"


def _as_bullet(line: Line) -> str:
    return line.text if line.is_bullet else f"- {line.text}"


def _is_met(need: Need, findings: Sequence[StepFindings]) -> bool:
    return any(
        need.share(line.evidence_under(finding.label)) >= _MET
        for finding in findings
        for line in finding.lines
    )


def _is_answered(point: str, findings: Sequence[StepFindings]) -> bool:
    """Whether another step answered the open question of one."""
    named = quoted_phrases(point.removeprefix(NOTHING_FOUND)) if point.startswith(NOTHING_FOUND) else ()
    return any(_is_met(need_of(name), findings) for name in named)


def _from_passages(corpus: Corpus, unmet: Sequence[Need], lines: int) -> tuple[list[Group], list[str]]:
    """Sections for what no earlier step answered but the passages do, and what they do not either."""
    taken: list[Evidence] = []
    answers = [Finder.of(need, corpus).answer(lines=lines, taken=taken) for need in unmet]
    groups = [Group(heading=answer.need.label, lines=answer.lines) for answer in answers if answer.lines]
    near = [line for answer in answers for line in answer.near]
    groups += [Group(heading=BESIDES, lines=tuple(near))] if near else []
    return groups, [note for answer in answers for note in answer.notes]

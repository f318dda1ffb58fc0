"""The revision of a draft: cited lines stay, others go, and gaps are filled from the passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frasier.llm.prompt_inputs import ReviseInputs, SynthesizeInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.coverage import coverage
from frasier.llm.providers.rehearsal.critique import UNANSWERED, UNUSED
from frasier.llm.providers.rehearsal.draft import first_heading, keep_citations, statements
from frasier.llm.providers.rehearsal.follow_up_questions import need_in
from frasier.llm.providers.rehearsal.found_answers import Finder
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.page import BESIDES, CitedPage, Group, plain, plain_title, render_to_fit
from frasier.llm.providers.rehearsal.questions import OVERVIEW, is_facet
from frasier.llm.providers.rehearsal.synthesize import confined_to, page_title, synthesize
from frasier.llm.providers.rehearsal.task_wording import asked_in

_ADDED_PER_GAP = 4
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*$")
_DIVIDER = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_BULLET_OR_ROW = re.compile(r"(?:[-*+|]|\d{1,3}[.)])")
_ABOUT_CITATIONS = re.compile(r"\b(?:cit(?:e|es|ed|ation|ations)|claims?|sources?)\b", re.IGNORECASE)
_POINT = re.compile(r"^>\s*-\s+(\S.*)$")


def revise(inputs: ReviseInputs, tokens_max: int) -> str:
    """The draft without uncited lines and unknown citations, and with evidence for its gaps.

    If nothing in the draft is cited, it is written anew from the passages.
    """
    known = {p.number for p in inputs.passages}
    known |= {n for p in inputs.brief.predecessors for line in statements(p.text) for n in line.cited}
    kept_groups = _kept_groups(inputs.draft, known)
    fresh = SynthesizeInputs(
        brief=inputs.brief,
        questions=inputs.questions,
        passages=inputs.passages,
        feedback=inputs.feedback,
    )
    if not kept_groups:
        return synthesize(fresh, tokens_max)
    corpus = corpus_of(inputs.passages)
    title = plain(first_heading(inputs.draft)) or page_title(fresh)
    missing = tuple(m[1] for line in inputs.draft.splitlines() if (m := _POINT.match(line)))
    return render_to_fit(lambda lines: _page(title, kept_groups, missing, inputs, corpus, lines), tokens_max)


def _page(
    title: str,
    draft_groups: Sequence[Group],
    missing: Sequence[str],
    inputs: ReviseInputs,
    corpus: Corpus,
    lines: int,
) -> CitedPage:
    added = _added(inputs, draft_groups, corpus, min(lines, _ADDED_PER_GAP))
    groups = {group.heading: _shortened(group, lines) for group in draft_groups}
    for group in added:
        before = groups[group.heading].lines if group.heading in groups else ()
        groups[group.heading] = Group(heading=group.heading, lines=(*before, *group.lines))
    answered = {f"“{group.heading}”" for group in added}
    still = tuple(point for point in missing if not any(name in point for name in answered))
    return CitedPage(title=title, groups=tuple(groups.values()), missing=still)


def _shortened(group: Group, lines: int) -> Group:
    """A group within the length of the page; a table keeps all its rows, as its head makes no sense alone."""
    if group.lines[0].startswith("|"):
        return group
    return Group(heading=group.heading, lines=group.lines[: lines + _ADDED_PER_GAP])


def _kept_groups(draft: str, known: set[int]) -> tuple[Group, ...]:
    """The lines of the draft that cite a known source, under their headings; empty sections go."""
    cited = {line.text for line in statements(draft) if any(number in known for number in line.cited)}
    groups: dict[str, list[str]] = {}
    heading = "Findings"
    table_head: list[str] = []
    for raw in draft.splitlines():
        line = raw.strip()
        if match := _HEADING.match(raw):
            heading, table_head = plain(match[1]), []
        elif line in cited:
            groups.setdefault(heading, []).extend([*table_head, _as_bullet(keep_citations(line, known))])
            table_head = []
        elif line.startswith("|"):
            table_head = [*table_head, line][-2:] if _DIVIDER.match(line) else [line]
    return tuple(Group(heading=name, lines=tuple(lines)) for name, lines in groups.items())


def _as_bullet(line: str) -> str:
    return line if _BULLET_OR_ROW.match(line) else f"- {line}"


def _added(inputs: ReviseInputs, draft_groups: Sequence[Group], corpus: Corpus, limit: int) -> list[Group]:
    """New bullets for what the critique and the reviewers missed and for questions without a cited line."""
    text = "\n\n".join(f"## {group.heading}\n\n" + "\n".join(group.lines) for group in draft_groups)
    quoted = {(number, line.quote) for line in statements(text) for number in line.cited}
    only = confined_to(inputs.brief.task, corpus)
    taken = [one for one in corpus.evidence if (one.number, one.text) in quoted]
    groups = []
    for need, sources in _needs_to_fill(inputs, text, corpus):
        answer = Finder.of(need, corpus, sources or only).answer(lines=limit, taken=taken)
        groups += [Group(heading=need.label, lines=answer.lines)] if answer.lines else []
        groups += [Group(heading=BESIDES, lines=answer.near)] if answer.near else []
    return groups


def _needs_to_fill(inputs: ReviseInputs, text: str, corpus: Corpus) -> Iterator[tuple[Need, frozenset[int]]]:
    """The needs to fill, each with the sources to fill it from (none named: all)."""
    questions = inputs.questions or asked_in(inputs.brief.task) or (OVERVIEW,)
    named = quoted_phrases(" ".join((*inputs.gaps, *inputs.feedback)))
    still_open = (need.question for need in coverage(text, questions).open)
    for question in dict.fromkeys((*filter(None, map(_asked, inputs.gaps)), *named, *still_open)):
        yield need_in(question, inputs.brief.directive), frozenset()
    for gap in inputs.gaps:
        titles = gap.removeprefix(UNUSED)
        if titles != gap:
            unused = frozenset(n for n in corpus.numbers() if plain_title(corpus.titles[n], n) in titles)
            asked = (question for question in questions if not is_facet(question))
            yield from ((need_in(question, inputs.brief.directive), unused) for question in asked)


def _asked(gap: str) -> str:
    """Return the question of a gap, or its own words if these name a subject rather than a missing citation."""
    if gap.startswith(UNANSWERED):
        return gap.removeprefix(UNANSWERED)
    return "" if gap.startswith(UNUSED) or _ABOUT_CITATIONS.search(gap) else gap

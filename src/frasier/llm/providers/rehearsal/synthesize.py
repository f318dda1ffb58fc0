"""A deliverable made of quotes: a section for each question, a bullet for each sentence, a citation for each bullet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import SynthesizeInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.corpus import Corpus, Scored
from frasier.llm.providers.rehearsal.draft import statements
from frasier.llm.providers.rehearsal.merge import merge
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.page import (
    BESIDES,
    NOTHING_FOUND,
    CitedPage,
    Group,
    bullet,
    listed,
    plain,
    plain_title,
    render_to_fit,
)
from frasier.llm.providers.rehearsal.questions import OVERVIEW, is_facet
from frasier.llm.providers.rehearsal.selection import pick
from frasier.llm.providers.rehearsal.sentences import QuotableSpan
from frasier.llm.providers.rehearsal.task_wording import as_named, asked_in, directive_title, titles_in

_LINES_SHARED_OUT = 12
_PER_SOURCE = range(2, 7)
_THIN = 3
_FACET = 2 / 3
_TITLE_CHARS_MAX = 160
_REVIEW_POINTS_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """The quotes for one need: `closest` comes from sources that do not name it."""

    need: Need
    ranked: tuple[Scored, ...]
    closest: tuple[Scored, ...]


def synthesize(inputs: SynthesizeInputs, tokens_max: int) -> str:
    """Markdown of cited quotes. Without anything to quote it says so, and states nothing."""
    if any(line.cited for earlier in inputs.brief.predecessors for line in statements(earlier.text)):
        return merge(inputs, tokens_max)
    corpus = Corpus(inputs.passages)
    if not corpus.sentences:
        return _nothing_found(inputs)
    only = confined_to(inputs.brief.task, corpus)
    answers = [_answer(need, corpus, only) for need in (*_needs(inputs), need_of(OVERVIEW))]
    more = bool(inputs.feedback)
    return render_to_fit(
        lambda lines: _page(page_title(inputs), corpus, answers, only, lines, more=more), tokens_max
    )


def _answer(need: Need, corpus: Corpus, only: frozenset[int]) -> _Answer:
    ranked = corpus.ranked(need, only=only)
    return _Answer(need=need, ranked=ranked, closest=corpus.closest(need, ranked, only=only))


def _page(
    title: str, corpus: Corpus, answers: Sequence[_Answer], only: frozenset[int], lines: int, *, more: bool
) -> CitedPage:
    """A page with at most `lines` bullets a section; `more` takes a further quote from each source.

    The last of the answers is what the sources say besides; it is for pages that would be thin without it.
    """
    taken: list[QuotableSpan] = []
    groups: list[Group] = []
    missing: list[str] = []
    named = len(only or corpus.numbers()) > 1

    def add(heading: str, picked: Sequence[QuotableSpan]) -> None:
        if picked:
            quotes = tuple(bullet(s, named=named) for s in picked)
            groups.append(Group(heading=heading, lines=quotes))

    *answered, besides = answers
    for at, answer in enumerate(answered):
        facet = is_facet(answer.need.question)
        limit = max(1, int(lines * _FACET)) if facet and at and not more else lines
        picked = pick(answer.ranked, limit=limit, per_source=_share(answer) + more, taken=taken)
        if at == 0:
            closest = pick(answer.closest, limit=limit, per_source=1, taken=taken)
            missing += _silent(corpus, answer, closest, only)
            picked += closest
        add(answer.need.label, picked)
        if not answer.ranked and not facet:
            missing.append(f"{NOTHING_FOUND}“{answer.need.label}”.")
    if len(taken) < _THIN:
        add(BESIDES, pick(besides.ranked, limit=min(lines, 5), per_source=2, taken=taken))
    return CitedPage(title=title, groups=tuple(groups), missing=tuple(missing))


def _share(answer: _Answer) -> int:
    """Return the number of quotes per source: the fewer sources, the more each."""
    speaking = {scored.sentence.number for scored in answer.ranked}
    return min(max(_LINES_SHARED_OUT // max(len(speaking), 1), _PER_SOURCE[0]), _PER_SOURCE[-1])


def confined_to(task: str, corpus: Corpus) -> frozenset[int]:
    """The sources that the task confines itself to, where it does and they were read; empty for all."""
    titles = titles_in(task)
    return frozenset(n for n in corpus.numbers() if as_named(corpus.titles[n]) in titles)


def page_title(inputs: SynthesizeInputs) -> str:
    """A heading from what the task asks about, else from the directive."""
    subjects = asked_in(inputs.brief.task)
    named = " and ".join(subjects) if len(subjects) <= 2 else ", ".join(subjects)
    about = plain(named or directive_title(inputs.brief.directive, _TITLE_CHARS_MAX))
    return shorten(f"Findings: {about}", _TITLE_CHARS_MAX) if about else "Findings"


def _needs(inputs: SynthesizeInputs) -> tuple[Need, ...]:
    """The questions of the step, else those of its task, and what reviewers asked for besides."""
    questions = inputs.questions or asked_in(inputs.brief.task) or (OVERVIEW,)
    asked_for = quoted_phrases(" ".join(inputs.feedback))[:_REVIEW_POINTS_MAX]
    return tuple({need.label: need for need in map(need_of, (*questions, *asked_for))}.values())


def _silent(
    corpus: Corpus, answer: _Answer, closest: Sequence[QuotableSpan], only: frozenset[int]
) -> list[str]:
    """List the sources without a sentence of their own on the main question."""
    speaking = {scored.sentence.number for scored in answer.ranked}
    if not answer.need.terms or not speaking:
        return []
    about = f"“{answer.need.label}”"
    near = {sentence.number for sentence in closest}
    silent = [n for n in corpus.numbers() if n not in speaking | near and (not only or n in only)]
    notes = []
    if near:
        notes.append(
            f"{_named(corpus, sorted(near))}: not on {about} by that name; the closest statement is quoted."
        )
    if silent:
        notes.append(f"{_named(corpus, silent)}: read, and no sentence matched the words of {about}.")
    return notes


def _named(corpus: Corpus, numbers: Sequence[int]) -> str:
    return listed(plain_title(corpus.titles[number], number) for number in numbers)


def _nothing_found(inputs: SynthesizeInputs) -> str:
    about = re.sub(r"[.?!\s]+$", "", page_title(inputs))
    reason = (
        "no passage was at hand"
        if not inputs.passages
        else "the sources hold no sentence that could be quoted"
    )
    return "\n\n".join(
        (
            f"# {about}",
            "> Rehearsal: no model was used.",
            f"> Nothing was found: {reason}, so nothing is stated here.\n",
        )
    )

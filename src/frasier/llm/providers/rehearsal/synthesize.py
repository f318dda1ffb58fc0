"""A deliverable made of quotes: a section for each question, a bullet for each sentence, a citation for each bullet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.text import shorten
from frasier.llm.inputs import SynthesizeInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.corpus import Corpus, Scored
from frasier.llm.providers.rehearsal.draft import statements
from frasier.llm.providers.rehearsal.merge import merge
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.page import (
    BESIDES,
    NOTHING_FOUND,
    Group,
    Page,
    bullet,
    listed,
    plain,
    plain_title,
    render_to_fit,
)
from frasier.llm.providers.rehearsal.questions import OVERVIEW, is_facet
from frasier.llm.providers.rehearsal.selection import pick
from frasier.llm.providers.rehearsal.sentences import Sentence
from frasier.llm.providers.rehearsal.tasks import as_named, asked_in, directive_title, titles_in

_LINES_SHARED_OUT = 12
_PER_SOURCE = range(2, 7)
_THIN = 3
_FACET = 2 / 3
_TITLE_CHARS_MAX = 160
_REVIEW_POINTS_MAX = 3


def synthesize(inputs: SynthesizeInputs, tokens_max: int) -> str:
    """Markdown of cited quotes. Without anything to quote it says so, and states nothing."""
    if any(line.cited for earlier in inputs.predecessors for line in statements(earlier.text)):
        return merge(inputs, tokens_max)
    corpus = Corpus(inputs.passages)
    if not corpus.sentences:
        return _nothing_found(inputs)
    needs = _needs(inputs)
    only = confined_to(inputs.task, corpus)
    more = bool(inputs.feedback)
    return render_to_fit(
        lambda lines: extract(page_title(inputs), corpus, needs, only, lines, more=more), tokens_max
    )


def extract(
    title: str, corpus: Corpus, needs: Sequence[Need], only: frozenset[int], lines: int, *, more: bool = False
) -> Page:
    """A page with at most `lines` bullets a section; `more` takes a further quote from each source."""
    taken: list[Sentence] = []
    groups: list[Group] = []
    missing: list[str] = []
    numbers = only or frozenset(corpus.numbers())
    share = _LINES_SHARED_OUT // len(numbers) + more
    per_source = min(max(share, _PER_SOURCE[0]), _PER_SOURCE[-1])

    def add(heading: str, picked: Sequence[Sentence]) -> None:
        if picked:
            groups.append(
                Group(heading=heading, lines=tuple(bullet(s, named=len(numbers) > 1) for s in picked))
            )

    for at, need in enumerate(needs):
        limit = lines if at == 0 or more or not is_facet(need.question) else max(1, int(lines * _FACET))
        ranked = corpus.ranked(need, only=only)
        picked = pick(ranked, limit=limit, per_source=per_source, taken=taken)
        if at == 0:
            closest = pick(corpus.closest(need, ranked, only=only), limit=limit, per_source=1, taken=taken)
            missing += _silent(corpus, need, ranked, closest, only)
            picked += closest
        add(need.label, picked)
        if not ranked and not is_facet(need.question):
            missing.append(f"{NOTHING_FOUND}“{need.label}”.")
    if len(taken) < _THIN:
        add(
            BESIDES,
            pick(corpus.ranked(need_of(OVERVIEW), only=only), limit=min(lines, 5), per_source=2, taken=taken),
        )
    return Page(title=title, groups=tuple(groups), missing=tuple(missing))


def confined_to(task: str, corpus: Corpus) -> frozenset[int]:
    """The sources that the task confines itself to, where it does and they were read; empty for all."""
    titles = titles_in(task)
    return frozenset(n for n in corpus.numbers() if as_named(corpus.titles[n]) in titles)


def page_title(inputs: SynthesizeInputs) -> str:
    """A heading from what the task asks about, else from the directive."""
    asked = asked_in(inputs.task)
    named = " and ".join(asked) if len(asked) <= 2 else ", ".join(asked)
    about = plain(named or directive_title(inputs.directive, _TITLE_CHARS_MAX))
    return shorten(f"Findings: {about}", _TITLE_CHARS_MAX) if about else "Findings"


def _needs(inputs: SynthesizeInputs) -> tuple[Need, ...]:
    """The questions of the step, else those of its task, and what reviewers asked for besides."""
    questions = inputs.questions or asked_in(inputs.task) or (OVERVIEW,)
    asked_for = quoted_phrases(" ".join(inputs.feedback))[:_REVIEW_POINTS_MAX]
    return tuple({need.label: need for need in map(need_of, (*questions, *asked_for))}.values())


def _silent(
    corpus: Corpus, need: Need, ranked: Sequence[Scored], closest: Sequence[Sentence], only: frozenset[int]
) -> list[str]:
    """Which sources were read and have no sentence of their own on the main question."""
    speaking = {scored.sentence.number for scored in ranked}
    if not need.terms or not speaking:
        return []
    near = {sentence.number for sentence in closest}
    silent = [n for n in corpus.numbers() if n not in speaking | near and (not only or n in only)]
    remarks = []
    if near:
        remarks.append(
            f"{_named(corpus, sorted(near))}: not on “{need.label}” by that name; the closest statement is quoted."
        )
    if silent:
        remarks.append(f"{_named(corpus, silent)}: read, and nothing was found on “{need.label}”.")
    return remarks


def _named(corpus: Corpus, numbers: Sequence[int]) -> str:
    return listed(plain_title(corpus.titles[number], number) for number in numbers)


def _nothing_found(inputs: SynthesizeInputs) -> str:
    about = re.sub(r"[.?!\s]+$", "", page_title(inputs))
    reason = (
        "no source could be read"
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

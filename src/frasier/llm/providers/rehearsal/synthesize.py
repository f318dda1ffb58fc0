"""A deliverable made of quotes: a section for each question, a bullet for each sentence, a citation for each bullet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import SynthesizeInputs
from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.draft import statements
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.follow_up_questions import need_in
from frasier.llm.providers.rehearsal.found_answers import Finder
from frasier.llm.providers.rehearsal.merge import merge
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.page import (
    BESIDES,
    CitedPage,
    Group,
    alternately,
    plain,
    render_to_fit,
)
from frasier.llm.providers.rehearsal.questions import OVERVIEW, is_facet
from frasier.llm.providers.rehearsal.task_wording import as_named, asked_in, directive_title, titles_in

_FACET = 2 / 3
_MAIN_POINTS_MAX = 8
_TITLE_CHARS_MAX = 160
_REVIEW_POINTS_MAX = 3


def synthesize(inputs: SynthesizeInputs, tokens_max: int) -> str:
    """Markdown of cited quotes. Without anything to quote it says so, and states nothing."""
    if any(line.cited for earlier in inputs.brief.predecessors for line in statements(earlier.text)):
        return merge(inputs, tokens_max)
    corpus = corpus_of(inputs.passages)
    if not corpus.titles:
        return _nothing_at_hand(inputs)
    only = confined_to(inputs.brief.task, corpus)
    needs = _needs(inputs)
    finders = [Finder.of(need, corpus, only) for need in needs]
    main_points = Finder.of_compared(needs, corpus, only) or Finder.of_main_points(corpus, only)
    more = bool(inputs.feedback)
    return render_to_fit(
        lambda lines: _page(
            page_title(inputs),
            finders,
            main_points,
            lines,
            searched=tuple(sorted(only or corpus.titles)),
            more=more,
        ),
        tokens_max,
    )


def _page(
    title: str,
    finders: Sequence[Finder],
    main_points: Finder,
    lines: int,
    *,
    searched: tuple[int, ...],
    more: bool,
) -> CitedPage:
    """A page with at most `lines` bullets a section; `more` takes a further quote from each source.

    `main_points`, or the values that fail a condition, are for a page that would quote nothing.
    """
    taken: list[SourceStatement] = []
    groups: list[Group] = []
    near: list[Sequence[str]] = []
    missing: list[str] = []
    for at, finder in enumerate(finders):
        narrows = is_facet(finder.need.question) and at > 0 and not more
        answer = finder.answer(
            lines=max(1, int(lines * _FACET)) if narrows else lines, taken=taken, more=more
        )
        groups += [Group(heading=answer.need.label, lines=answer.lines)] if answer.lines else []
        near.append(answer.near)
        missing += answer.notes
    if not taken:
        near.append(main_points.answer(lines=min(lines, _MAIN_POINTS_MAX), taken=taken).near)
    if any(near):
        groups.append(Group(heading=BESIDES, lines=tuple(alternately(near))))
    return CitedPage(title=title, groups=tuple(groups), missing=tuple(missing), searched=searched)


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
    needs = [*(need_in(question, inputs.brief.directive) for question in questions), *map(need_of, asked_for)]
    return tuple({need.label: need for need in needs}.values())


def _nothing_at_hand(inputs: SynthesizeInputs) -> str:
    about = re.sub(r"[.?!\s]+$", "", page_title(inputs))
    return "\n\n".join(
        (
            f"# {about}",
            "> Rehearsal: no model was used.",
            "> Nothing was found: no passage was at hand, so nothing is stated here.\n",
        )
    )

"""The questions of a task and the keywords that find their answers."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import DecomposeInputs
from frasier.llm.providers.rehearsal.aspects import is_question, quoted_phrases
from frasier.llm.providers.rehearsal.cues import DATES, FIGURES, MEASURES, MONEY
from frasier.llm.providers.rehearsal.needs import need_of, query_of
from frasier.llm.providers.rehearsal.questions import facet_questions, main_question
from frasier.llm.providers.rehearsal.stems import content_stems, keywords
from frasier.llm.providers.rehearsal.task_wording import as_named, asked_in, titles_in
from frasier.llm.reply_schemas import DecomposeReply

_MAX = 4
_REQUIREMENTS_MAX = 6
_LINE_CHARS_MAX = 300
_QUERY_WORDS_MAX = 12


def decompose(inputs: DecomposeInputs) -> DecomposeReply:
    """Two to four questions: one for each aspect, or the facets of a single one."""
    subjects = asked_in(inputs.brief.task)
    titles = titles_in(inputs.brief.task)
    named = tuple(title for title in map(as_named, inputs.source_titles) if title in titles)
    if not subjects and named:
        subjects = named
    elif not subjects:
        subjects = asked_in(inputs.brief.directive)
    topics = (*quoted_phrases(" ".join(inputs.feedback)), *subjects)
    # A question has no facets, nor has what is asked for by a cue alone, such as "decisions".
    if len(topics) > 1 or (topics and (is_question(topics[0]) or need_of(topics[0]).is_checkable)):
        questions = tuple(main_question(subject) for subject in topics)
    else:
        questions = facet_questions(
            *topics, figures=_asks_for_figures(f"{inputs.brief.directive} {inputs.brief.task}")
        )
    questions = tuple(dict.fromkeys(questions))[:_MAX]
    return DecomposeReply(
        questions=list(questions),
        queries=list(_queries(questions, named, inputs)),
        requirements=[shorten(line, _LINE_CHARS_MAX) for line in inputs.brief.acceptance if line.strip()][
            :_REQUIREMENTS_MAX
        ],
    )


def _asks_for_figures(text: str) -> bool:
    stems = frozenset(content_stems(text))
    return any(stems & cue.triggers for cue in (MONEY, DATES, FIGURES, *MEASURES))


def _queries(questions: tuple[str, ...], named: tuple[str, ...], inputs: DecomposeInputs) -> tuple[str, ...]:
    """Keywords for each question; a task confined to some sources also looks for these by their titles."""
    needs = [need_of(question) for question in questions]
    queries = [_query(*query_of(need).split()) for need in needs]
    topic = keywords(" ".join(asked_in(inputs.brief.task)))
    by_title = [_query(*keywords(title), *topic) for title in named]
    if not named and not needs[0].terms:
        # Nothing in the question is a word of the sources, so every source is looked for.
        by_title = _all_of(inputs.source_titles)
    wider = _query(*query_of(needs[0]).split(), *keywords(inputs.brief.directive))
    ordered = (*queries[:1], *by_title, *queries[1:], wider)
    distinct = tuple(dict.fromkeys(query for query in ordered if query))[:_MAX]
    return distinct or (shorten(" ".join(inputs.brief.task.split()), _LINE_CHARS_MAX) or "overview",)


def _all_of(titles: tuple[str, ...]) -> list[str]:
    """The words of all titles, as a few queries."""
    words = tuple(dict.fromkeys(word for title in titles for word in keywords(title)))
    return [_query(*words[at : at + _QUERY_WORDS_MAX]) for at in range(0, len(words), _QUERY_WORDS_MAX)][
        :_MAX
    ]


def _query(*terms: str) -> str:
    return shorten(" ".join(tuple(dict.fromkeys(terms))[:_QUERY_WORDS_MAX]), _LINE_CHARS_MAX)

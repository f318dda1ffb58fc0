"""Which questions the passages leave open, and what else to search for."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import GapsInputs
from frasier.llm.providers.rehearsal.corpus import Corpus, corpus_of
from frasier.llm.providers.rehearsal.needs import Need, need_of, query_of
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.stems import keywords, stem
from frasier.llm.providers.rehearsal.task_wording import asked_in
from frasier.llm.reply_schemas import GapsReply

_MAX = 4
_LINE_CHARS_MAX = 300


def gaps(inputs: GapsInputs) -> GapsReply:
    """Sufficient where every question is met by at least one sentence of the passages."""
    corpus = corpus_of(inputs.passages)
    questions = inputs.questions or asked_in(inputs.brief.task) or (inputs.brief.task,)
    main_questions = [question for question in questions if not is_facet(question)] or questions
    unmet = [need for need in map(need_of, main_questions) if not corpus.meets(need)][:_MAX]
    queries = [query for need in unmet for query in _variants(need, corpus)]
    return GapsReply(
        sufficient=not unmet,
        gaps=[shorten(f"No passage answers: {need.question}", _LINE_CHARS_MAX) for need in unmet],
        queries=list(dict.fromkeys(shorten(query, _LINE_CHARS_MAX) for query in queries if query))[:_MAX],
    )


def _variants(need: Need, corpus: Corpus) -> tuple[str, ...]:
    """Other wordings: each word with its other number, and the rarer half of the words alone."""
    query = query_of(need).split()
    both = " ".join(form for word in query for form in (word, _other_number(word)))
    by_rarity = sorted(
        keywords(need.question), key=lambda word: (corpus.idf.get(stem(word), float("inf")), word)
    )
    rare = " ".join(by_rarity[len(by_rarity) // 2 :])
    return (both, rare)


def _other_number(word: str) -> str:
    """The plural of a singular and the reverse, by the plain English rule."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")

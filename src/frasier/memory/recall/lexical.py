"""The lexical, context and trigger arms: memories with the query's words, their neighbours, and matching triggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from frasier.memory.admission.triggers import match_trigger_nums
from frasier.memory.expansion.expand import Expansion, expand
from frasier.memory.indexed_text import spellings_of_days
from frasier.memory.lexical_search import WordHits, distinct_terms, search_words
from frasier.memory.recall.neighbours import context_ranking
from frasier.memory.recall.request import RecallQuery
from frasier.memory.settings import FusionSettings
from frasier.store import Tx

_TRIGGERED_MAX = 20
_LOOKED_AROUND = 60
_SHARE_OF_FIGURE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalMatches:
    """The matches by words. `context` holds turns, best first: those with the words and those next to them.

    `expansion` holds the added terms, `triggered` the phrases that recalled each memory.
    """

    words: WordHits
    context: Sequence[int] = ()
    expansion: Expansion | None = None
    triggered: Mapping[int, tuple[str, ...]]


async def find_lexical_matches(tx: Tx, query: RecallQuery, settings: FusionSettings) -> LexicalMatches:
    """Search the lexical, the context and the trigger arm."""
    matches = await _search_expanded(tx, query, settings)
    if settings.context <= 0:
        return matches
    best = dict(islice(matches.words.scores.items(), _LOOKED_AROUND))
    return replace(matches, context=await context_ranking(tx, best))


async def _search_expanded(tx: Tx, query: RecallQuery, settings: FusionSettings) -> LexicalMatches:
    """Search the words, with expansions for those that no memory holds."""
    asked = distinct_terms(query.text)
    spoken, figures = (distinct_terms(" ".join(days)) for days in spellings_of_days(query.text))
    terms = {**asked, **spoken, **figures}
    # "01" of a day stands in every other date, too.
    shares = {term: _SHARE_OF_FIGURE for term in figures if term not in spoken}
    words = await _search(tx, query, terms, settings, shares)
    triggered = await match_trigger_nums(tx, query.scopes, query.text, limit=_TRIGGERED_MAX)
    missing = set(asked) - set(words.containing())
    if not query.expand or not missing or settings.lexical <= 0:
        return LexicalMatches(words=words, triggered=triggered)
    expansion = await expand(tx, query.scopes, query.text, missing=missing)
    if expansion.added:
        shares |= {term.term: term.share for term in expansion.added}
        terms |= {term.term: term.word for term in expansion.added}
        words = await _search(tx, query, terms, settings, shares)
    return LexicalMatches(words=words, expansion=expansion, triggered=triggered)


async def _search(
    tx: Tx,
    query: RecallQuery,
    terms: Mapping[str, str],
    settings: FusionSettings,
    shares: Mapping[str, float] | None = None,
) -> WordHits:
    if settings.lexical <= 0:
        return WordHits(scores={}, keys=())
    return await search_words(
        tx,
        terms,
        scopes=query.scopes,
        kinds=query.kinds,
        agent_id=query.agent_id,
        period=query.period,
        limit=settings.pool,
        shares=shares,
        replaced=query.as_of is not None,
    )

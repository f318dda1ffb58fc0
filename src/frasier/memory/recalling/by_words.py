"""What the words of a question find: the memories that hold them, those around them, those whose phrases it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from frasier.memory.expansion import Expansion, expand
from frasier.memory.lexical import WordHits, distinct_terms, search_words
from frasier.memory.recalling.request import Sought
from frasier.memory.recalling.threads import by_context
from frasier.memory.saving import match_trigger_nums
from frasier.memory.settings import FusionSettings
from frasier.store import Tx

_TRIGGERED_MAX = 20
_LOOKED_AROUND = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ByWords:
    """What was found. `context` holds turns, best first: those that hold the words and those next to them.

    `expansion` tells which other forms were looked for, `triggered` by which phrases a memory was called.
    """

    words: WordHits
    context: Sequence[int] = ()
    expansion: Expansion | None = None
    triggered: Mapping[int, tuple[str, ...]]


async def find_by_words(tx: Tx, sought: Sought, settings: FusionSettings) -> ByWords:
    """The lexical, the context and the trigger arm."""
    found = await _expanded(tx, sought, settings)
    if settings.context <= 0:
        return found
    best = dict(islice(found.words.scores.items(), _LOOKED_AROUND))
    return replace(found, context=await by_context(tx, best))


async def _expanded(tx: Tx, sought: Sought, settings: FusionSettings) -> ByWords:
    """What holds the words; those that no memory holds are looked for under other forms as well."""
    terms = distinct_terms(sought.text)
    words = await _search(tx, sought, terms, settings)
    triggered = await match_trigger_nums(tx, sought.scopes, sought.text, limit=_TRIGGERED_MAX)
    missing = set(terms) - set(words.containing())
    if not sought.expand or not missing or settings.lexical <= 0:
        return ByWords(words=words, triggered=triggered)
    expansion = await expand(tx, sought.scopes, sought.text, missing=missing)
    if expansion.added:
        shares = {term.term: term.share for term in expansion.added}
        terms |= {term.term: term.word for term in expansion.added}
        words = await _search(tx, sought, terms, settings, shares)
    return ByWords(words=words, expansion=expansion, triggered=triggered)


async def _search(
    tx: Tx,
    sought: Sought,
    terms: Mapping[str, str],
    settings: FusionSettings,
    shares: Mapping[str, float] | None = None,
) -> WordHits:
    if settings.lexical <= 0:
        return WordHits(scores={}, keys=())
    return await search_words(
        tx,
        terms,
        scopes=sought.scopes,
        kinds=sought.kinds,
        agent_id=sought.agent_id,
        limit=settings.pool,
        shares=shares,
    )

"""Phrases that call a memory: whole words, looked up and never searched for, so no phrase and no prompt is slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.trigger_keys import trigger_words
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.saving")

PROMPT_CHARS_MAX = 5_000
MATCHES_MAX = 50

_PHRASE_CHARS_MAX = 200  # of a phrase as it is stored
_PHRASE_WORDS_MAX = 20  # a hundred characters hold no more words than that in any language that has blanks


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerMatch:
    """A memory that a prompt calls, by these phrases (in the form in which they are compared)."""

    memory_id: UUID
    phrases: tuple[str, ...]


async def match_triggers(tx: Tx, caller: Caller, prompt: str, *, limit: int = 3) -> list[TriggerMatch]:
    """The memories of the caller's scopes that a phrase in `prompt` calls.

    Those with most matched phrases come first, then the most important. Case and what stands between words make no
    difference; a phrase matches whole words only. Vectors play no part. Raises InvalidInput for a prompt over
    5,000 characters (E042) and a limit outside 1 to 50 (E032).
    """
    if len(prompt) > PROMPT_CHARS_MAX:
        raise InvalidInput(
            f"A prompt of {len(prompt)} characters is too long.",
            number="E042",
            hint=f"Match at most {PROMPT_CHARS_MAX} characters: the end of the prompt says what is wanted.",
        )
    if not 1 <= limit <= MATCHES_MAX:
        raise InvalidInput(
            f"A limit of {limit} is not between 1 and {MATCHES_MAX}.", number="E032", hint="Ask for fewer."
        )
    rows = await _match(tx, caller.scopes, prompt, limit)
    return [TriggerMatch(memory_id=row["id"], phrases=tuple(row["phrases"])) for row in rows]


async def match_trigger_nums(
    tx: Tx, scopes: Sequence[str], text: str, *, limit: int
) -> dict[int, tuple[str, ...]]:
    """Does what match_triggers does for a recall: internal numbers, best first, with their phrases.

    Of a longer text the first 5,000 characters count.
    """
    rows = await _match(tx, scopes, text[:PROMPT_CHARS_MAX], limit)
    return {row["num"]: tuple(row["phrases"]) for row in rows}


async def _match(tx: Tx, scopes: Sequence[str], prompt: str, limit: int) -> list[DictRow]:
    phrases = phrases_in(prompt)
    if not phrases:
        return []
    # As one text, which is a tenth of the work of an array of thousands; no phrase has a line break in it.
    return await _sql.all(tx, "match_phrases", phrases="\n".join(phrases), scopes=list(scopes), limit=limit)


def phrases_in(prompt: str) -> list[str]:
    """Every run of words of `prompt` that can be a phrase, each once."""
    words = trigger_words(prompt)
    found: set[str] = set()
    for start in range(len(words)):
        phrase = words[start]
        for end in range(start + 1, min(start + _PHRASE_WORDS_MAX, len(words)) + 1):
            if len(phrase) > _PHRASE_CHARS_MAX:
                break
            found.add(phrase)
            if end < len(words):
                phrase = f"{phrase} {words[end]}"
    return sorted(found)

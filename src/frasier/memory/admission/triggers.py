"""Matching of trigger phrases: whole words, looked up by key, so that neither a phrase nor a prompt is slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.trigger_keys import trigger_words
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.admission")

PROMPT_CHARS_MAX = 5_000
MATCHES_MAX = 50

_PHRASE_CHARS_MAX = 200  # of a stored phrase
_PHRASE_WORDS_MAX = 20  # a hundred characters hold no more words in any language with spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerMatch:
    """A memory recalled by phrases of a prompt (in normalised form)."""

    memory_id: UUID
    phrases: tuple[str, ...]


async def match_triggers(tx: Tx, caller: Caller, prompt: str, *, limit: int = 3) -> list[TriggerMatch]:
    """Return the memories of the caller's scopes that have a trigger phrase in `prompt`.

    Those with most matched phrases come first, then the most important. Case and punctuation make no difference; a
    phrase matches whole words only. Vectors are not used. Raises InvalidInput for a prompt over 5,000 characters (E042)
    and a limit outside 1 to 50 (E032).
    """
    if len(prompt) > PROMPT_CHARS_MAX:
        raise InvalidInput(
            f"A prompt of {len(prompt)} characters is too long.",
            number="E042",
            hint=f"Match at most {PROMPT_CHARS_MAX} characters, preferably the end of the prompt.",
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
    """Do what match_triggers does, for a recall: return internal numbers, best first, with their phrases.

    Only the first 5,000 characters of a text are matched.
    """
    rows = await _match(tx, scopes, text[:PROMPT_CHARS_MAX], limit)
    return {row["num"]: tuple(row["phrases"]) for row in rows}


async def _match(tx: Tx, scopes: Sequence[str], prompt: str, limit: int) -> list[DictRow]:
    phrases = phrases_in(prompt)
    if not phrases:
        return []
    # As one text, a tenth of the work of an array of thousands; no phrase contains a line break.
    return await _sql.all(tx, "match_phrases", phrases="\n".join(phrases), scopes=list(scopes), limit=limit)


def phrases_in(prompt: str) -> list[str]:
    """Return every run of words of `prompt` that can be a phrase, each once."""
    words = trigger_words(prompt)
    phrases: set[str] = set()
    for start in range(len(words)):
        phrase = words[start]
        for end in range(start + 1, min(start + _PHRASE_WORDS_MAX, len(words)) + 1):
            if len(phrase) > _PHRASE_CHARS_MAX:
                break
            phrases.add(phrase)
            if end < len(words):
                phrase = f"{phrase} {words[end]}"
    return sorted(phrases)

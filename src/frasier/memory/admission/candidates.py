"""Search for memories similar to a new one: by its rarest words, in its own scope."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.tokenizer import tokenize
from frasier.memory.admission.save_gate import RELATED, ExistingMemory
from frasier.memory.admission.similarity import greatest_length, least_length
from frasier.memory.postings import TermKeys
from frasier.memory.save import identity_hash
from frasier.memory.types import REPEATABLE, NewMemory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.admission")

# The number of distinct terms counted, and of the rarest ones looked up. Two RELATED texts share more than half of
# their terms, so it is practically impossible that none of the 32 is shared.
_TERMS_COUNTED = 48
_TERMS_TELLING = 32
_COMMON = 100  # the count of a term stops here
_LIMIT = 8
_LIMIT_LONG = 2
_LONG_TERMS = 3_000  # comparing one text of that length costs a millisecond
_LABEL_TERMS = 400  # the maximum that the other searched attributes add to the length of a memory


async def find_candidates(
    tx: Tx, new: NewMemory, *, nearest: bool = True, except_id: UUID | None = None
) -> list[ExistingMemory]:
    """Return up to eight memories that may be RELATED to `new`, and those with exactly its content, time and speaker.

    Deprecated, archived, expired and outdated memories are excluded, and so is `except_id`, the memory that is being
    updated. Without `nearest`, only the latter.
    """
    terms = tokenize(new.content)
    return await _sql.all_as(
        ExistingMemory,
        tx,
        "find_candidates",
        keys=_telling_keys(new.scope, terms) if nearest else [],
        common=_COMMON,
        telling=_TERMS_TELLING,
        scope=new.scope,
        ungated=sorted(REPEATABLE),
        length_min=least_length(len(terms), RELATED),
        length_max=greatest_length(len(terms), RELATED) + _LABEL_TERMS,
        limit=_LIMIT if len(terms) < _LONG_TERMS else _LIMIT_LONG,
        content_hash=identity_hash(new),
        except_id=except_id,
    )


def _telling_keys(scope: str, terms: list[str]) -> list[int]:
    """Return the keys of terms that are likely to be rare: those with a digit, then long ones."""
    likely = sorted(set(terms), key=lambda term: (not any(map(str.isdigit, term)), -len(term), term))
    keys = TermKeys()
    return [keys.key(scope, term) for term in likely[:_TERMS_COUNTED]]

"""Search for memories similar to a new one: by its rarest words, in its own scope."""

from __future__ import annotations

import hashlib
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.tokenizer import tokenize
from frasier.memory.admission.save_gate import RELATED, UNGATED, ExistingMemory
from frasier.memory.admission.similarity import greatest_length, least_length
from frasier.memory.postings import TermKeys
from frasier.memory.types import ImportanceTier, MemoryKind, NewMemory
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
_LABEL_TERMS = 400  # the maximum that title, tags and speaker add to the length of a memory


async def find_candidates(
    tx: Tx, new: NewMemory, *, nearest: bool = True, except_id: UUID | None = None
) -> list[ExistingMemory]:
    """Return up to eight memories that may be RELATED to `new`, and those with exactly its content.

    Deprecated, archived, expired and outdated memories are excluded, and so is `except_id`, the memory that is being
    updated. Without `nearest`, only those with exactly its content.
    """
    terms = tokenize(new.content)
    rows = await _sql.all(
        tx,
        "find_candidates",
        keys=_telling_keys(new.scope, terms) if nearest else [],
        common=_COMMON,
        telling=_TERMS_TELLING,
        scope=new.scope,
        ungated=sorted(UNGATED),
        length_min=least_length(len(terms), RELATED),
        length_max=greatest_length(len(terms), RELATED) + _LABEL_TERMS,
        limit=_LIMIT if len(terms) < _LONG_TERMS else _LIMIT_LONG,
        content_hash=content_hash(new.content),
        except_id=except_id,
    )
    return [_existing_of_row(row) for row in rows]


def content_hash(content: str) -> bytes:
    """Return the hash by which a content is unique in its scope, kind and agent."""
    return hashlib.sha256(content.encode()).digest()


def _telling_keys(scope: str, terms: list[str]) -> list[int]:
    """Return the keys of terms that are likely to be rare: those with a digit, then long ones."""
    likely = sorted(set(terms), key=lambda term: (not any(map(str.isdigit, term)), -len(term), term))
    keys = TermKeys()
    return [keys.key(scope, term) for term in likely[:_TERMS_COUNTED]]


def _existing_of_row(row: DictRow) -> ExistingMemory:
    return ExistingMemory(
        id=row["id"],
        scope=row["scope"],
        kind=MemoryKind(row["kind"]),
        content=row["content"],
        title=row["title"],
        tags=tuple(row["tags"]),
        triggers=tuple(row["triggers"]),
        tier=ImportanceTier(row["tier"]),
        importance=row["importance"],
        agent_id=row["agent_id"],
        task_id=row["task_id"],
        author=row["author"],
        from_file=row["from_file"],
        speaker=row["speaker"],
        occurred_at=row["occurred_at"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        over=row["over"],
        version=row["version"],
    )

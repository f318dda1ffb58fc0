"""Convert a parsed file to a memory; a raised tier counts only when confirmed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.rows import DictRow

from frasier.kernel.limits import MEMORY_CHARS_MAX
from frasier.memory.files.metadata import ContextType
from frasier.memory.files.parse_file import ParsedFile
from frasier.memory.files.tiers import RAISED_TIERS
from frasier.memory.sanitize import fields_with_secrets, secrets_notice
from frasier.memory.types import ImportanceTier, MemoryKind, NewMemory

_KINDS = {
    ContextType.DECISION: MemoryKind.DECISION,
    ContextType.IMPLEMENTATION: MemoryKind.TASK,
}


def memory_of_file(
    parsed: ParsedFile, path: str, scope: str, held: DictRow | None, *, confirmed: bool, keep_secrets: bool
) -> tuple[NewMemory, list[str]]:
    """Convert the file to a memory and warnings; `held` is the row of the file and its existing memory.

    Changes made to the memory itself are preserved. A tier above normal counts only if it is `confirmed`.
    """
    metadata = parsed.metadata
    there = held is not None and held["memory_id"] is not None
    before: Mapping[str, Any] = held["provenance"] if held and there else {}
    warnings: list[str] = []
    stated = metadata.tier or ImportanceTier.NORMAL
    if stated in RAISED_TIERS and not confirmed:
        stated = ImportanceTier.NORMAL
    tier = stated
    # The file's tier counts only when the file changes it, not whenever its text is edited.
    if held and there and before.get("file_tier", ImportanceTier.NORMAL) == stated:
        tier = ImportanceTier(held["tier"])
        if tier is ImportanceTier.DEPRECATED:
            warnings.append("Its memory is deprecated, so it is not recalled whatever the file contains.")
    provenance = {
        "path": path,
        "file_tier": stated if metadata.tier else None,
        "context_type": metadata.context_type,
        "description": metadata.description,
        "session_id": metadata.session_id,
    }
    preserved = {
        name: value for name, value in before.items() if name not in {*provenance, "redacted", "redacted_in"}
    }
    content = parsed.body
    introduced = f"{metadata.description}\n\n{content}"
    if metadata.description and metadata.description not in content and len(introduced) <= MEMORY_CHARS_MAX:
        content = introduced  # so that a recall finds it by its description
    new = NewMemory(
        kind=_KINDS.get(metadata.context_type or ContextType.GENERAL, MemoryKind.OBSERVATION),
        scope=scope,
        content=content,
        title=parsed.title,
        tags=metadata.tags,
        tier=tier,
        importance=held["importance"] if held and there else 5,
        provenance=preserved | {name: value for name, value in provenance.items() if value},
        memory_type=metadata.memory_type,
        triggers=metadata.triggers,
        valid_from=metadata.valid_from,
        valid_until=metadata.valid_until,
        keep_secrets=keep_secrets,
    )
    return new, warnings


def warnings_of(parsed: ParsedFile, *, keep_secrets: bool) -> list[str]:
    """The warnings about a file that is indexed nevertheless."""
    warnings = [*parsed.warnings, *(problem.message for problem in parsed.anchor_problems)]
    texts = {"title": parsed.title, "text": parsed.body, "description": parsed.metadata.description}
    if not keep_secrets and (notice := secrets_notice(fields_with_secrets(texts))):
        warnings.append(f"{notice} The file itself was not changed.")
    return warnings

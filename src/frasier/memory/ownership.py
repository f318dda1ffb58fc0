"""Ownership of memories: whoever saved one changes and deletes it, and so does the founder; others correct it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed
from frasier.kernel.humanize import person
from frasier.kernel.redaction import REDACTED
from frasier.memory.access import Caller


def is_others(caller: Caller, provenance: Mapping[str, Any]) -> bool:
    """Whether somebody else saved a memory, and the caller is not the founder.

    A memory without a recorded author belongs to all who share its scope.
    """
    return not caller.founder and provenance.get("saved_by", caller.name) != caller.name


def require_own(caller: Caller, provenance: Mapping[str, Any], action: str) -> None:
    """Raise NotAllowed if the memory is somebody else's; `action` is what the caller wants to do to it."""
    if is_others(caller, provenance):
        if REDACTED in provenance["saved_by"]:
            raise NotAllowed(
                "The name of who saved this memory was stored as [redacted], because it looked like a secret to an"
                f" earlier Frasier, so {person(caller.name)} cannot {action} it.",
                kept="The memory is unchanged.",
                hint="Only the founder can change or delete it. Once it is deleted, its author can save it again.",
                advice=Advice("memory.correct", to="record what is wrong with it, which can be undone"),
            )
        raise NotAllowed(
            f"{person(provenance['saved_by'])} saved this memory, so {person(caller.name)} cannot {action} it.",
            kept="The memory is unchanged.",
            hint="Only its author and the founder can.",
            advice=Advice("memory.correct", to="record what is wrong with it, which can be undone"),
        )


def with_changer(provenance: Mapping[str, Any], changer: str) -> dict[str, Any]:
    """Return a provenance that names the last changer of the text, if that is not the author."""
    kept = {name: value for name, value in provenance.items() if name != "changed_by"}
    return kept | ({"changed_by": changer} if changer not in {"", provenance.get("saved_by")} else {})

"""Scopes, the owners of memories: a recall sees the scopes that it names, and nothing else."""

from __future__ import annotations

import re
from uuid import UUID

from frasier.kernel.errors import InvalidInput

FOUNDER_SCOPE = "founder"
SHARED_SCOPE = "shared"

# The schema holds the same pattern.
_SCOPE = re.compile(r"[a-z][a-z0-9_-]{0,31}(:[a-z0-9][a-z0-9._-]{0,99})?")


def agent_scope(agent_id: UUID) -> str:
    """Return the scope of one agent's own memories."""
    return f"agent:{agent_id}"


def mission_scope(mission_id: UUID) -> str:
    """Return the scope shared by everybody who works on one mission, documents included."""
    return f"mission:{mission_id}"


def check_scope(scope: str) -> str:
    """Return `scope` if it is well-formed; raise InvalidInput otherwise."""
    if not _SCOPE.fullmatch(scope):
        raise InvalidInput(
            f"{scope[:80]!r} is not a scope.",
            hint="Scopes are founder, shared, agent:<id>, mission:<id> or a name in lower-case letters.",
        )
    return scope

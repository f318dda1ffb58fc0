"""The founder's standing rules, and which of them find no room in prompts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.memory import fit_directives, list_directives
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRule:
    """A standing rule in force; not `in_prompts` where there is no room for it."""

    directive: UUID
    text: str
    recorded_at: datetime
    in_prompts: bool


async def read_standing_rules(tx: Tx) -> tuple[StandingRule, ...]:
    """Read the standing rules in force."""
    left_out = {directive.id for directive in (await fit_directives(tx)).left_out}
    return tuple(
        StandingRule(
            directive=directive.id,
            text=directive.content,
            recorded_at=directive.created_at,
            in_prompts=directive.id not in left_out,
        )
        for directive in await list_directives(tx)
    )

"""Enrol a member: add its roles, and issue the token by which it authenticates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board.members.members import Member, add_member, list_members
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.memory import SHARED_SCOPE, grant_scopes, issue_token, list_tokens
from frasier.store import Tx
from frasier.workflow import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """A member that was added or changed. `token` is empty if it keeps the one it had; `scopes` are those of either
    token. `lost_roles` are the roles that it lost.
    """

    member: Member
    token: str
    scopes: tuple[str, ...]
    lost_roles: tuple[str, ...]


async def enroll_member(
    tx: Tx, name: str, roles: Sequence[str], boards: Sequence[str], scopes: Sequence[str], *, actor: Actor
) -> Enrolment:
    """Add a member, or change its roles and add boards to those that it has. A new one gets a token for `scopes` and
    those of its boards; the token of another gets the scopes of the boards.

    Raises as add_member does, and InvalidInput if a member with a token would need another for `scopes`.
    """
    tokens = [one for one in await list_tokens(tx) if one.name == name and one.revoked_at is None]
    before = {one.name: one for one in await list_members(tx) if one.removed_at is None}.get(f"token:{name}")
    token, granted = "", tokens[0].scopes if tokens else ()
    if not tokens:
        granted = tuple(dict.fromkeys([*_scopes(boards), *scopes])) or (SHARED_SCOPE,)
        token = await issue_token(tx, name, granted)
    elif set(scopes) - {*granted, *_scopes(boards)}:
        raise InvalidInput(
            f"{name} has a token already, for {', '.join(granted)}.",
            kept="Nothing was changed.",
            hint="Name no other scopes, or revoke it first.",
            advice=Advice("token.revoke", name=name),
        )
    # All in one transaction: an actor who may not add members issues no token either.
    kept_boards = before.boards if before is not None and before.has_token else ()
    everywhere = not boards or (before is not None and before.has_token and not before.boards)
    member = await add_member(tx, name, roles, () if everywhere else (*kept_boards, *boards), actor=actor)
    if tokens:
        granted = await grant_scopes(tx, name, _scopes(boards))
    lost_roles = tuple(role for role in (before.roles if before else ()) if role not in member.roles)
    return Enrolment(member=member, token=token, scopes=granted, lost_roles=lost_roles)


def _scopes(boards: Sequence[str]) -> list[str]:
    """Return the scopes of the memory that belong to boards."""
    return [f"board:{board}" for board in boards]

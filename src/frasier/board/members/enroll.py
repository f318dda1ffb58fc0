"""Enrol a member: what it may do on boards, and the token by which it comes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board.members.members import Member, add_member, list_members
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.memory import SHARED_SCOPE, issue_token, list_tokens
from frasier.store import Tx
from frasier.workflow import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolled:
    """A member that was added or changed. `token` is empty where it keeps the one it had; `scopes` are those of either.
    `gone` are the roles in which it acted until now.
    """

    member: Member
    token: str
    scopes: tuple[str, ...]
    gone: tuple[str, ...]


async def enroll_member(
    tx: Tx, name: str, roles: Sequence[str], projects: Sequence[str], scopes: Sequence[str], *, actor: Actor
) -> Enrolled:
    """Add a member, or change what one may do; a new one gets a token for `scopes` and those of its projects.

    Raises as add_member does, and InvalidInput where one with a token would need another for `scopes`.
    """
    valid = [one for one in await list_tokens(tx) if one.name == name and one.revoked_at is None]
    token, granted = "", valid[0].scopes if valid else ()
    if not valid:
        granted = tuple(dict.fromkeys([*(f"project:{one}" for one in projects), *scopes])) or (SHARED_SCOPE,)
        token = await issue_token(tx, name, granted)
    elif set(scopes) - set(granted):
        raise InvalidInput(
            f"{name} has a token already, for {', '.join(granted)}.",
            kept="Nothing was changed.",
            hint="Name no other scopes, or revoke it first.",
            advice=Advice("token.revoke", name=name),
        )
    before = {one.name: one.roles for one in await list_members(tx) if one.removed_at is None}
    # Whoever may not add members has not made a token either: both are in one transaction.
    member = await add_member(tx, name, roles, projects, actor=actor)
    gone = tuple(role for role in before.get(member.name, ()) if role not in member.roles)
    return Enrolled(member=member, token=token, scopes=granted, gone=gone)

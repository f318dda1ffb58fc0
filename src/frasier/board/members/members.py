"""Members: agents and programs that may act, each by a credential of its own. Who moves follows from it alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import DictRow

from frasier.board.board_processes import board_processes
from frasier.board.boards import get_project
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.humanize import person
from frasier.memory import Caller
from frasier.store import Statements, Tx
from frasier.workflow import FOUNDER, Actor, ActorKind

_sql = Statements("frasier.board.members")

_ROLES_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """`name` is the caller's, as the credential proves it. No `projects` means all of them.

    It is one by the token that the name had when it was added: revoked, that `has_token` no more, and whoever is given
    the name with another token is no member before it is added.
    """

    name: str
    roles: tuple[str, ...]
    projects: tuple[str, ...]
    added_at: datetime
    removed_at: datetime | None
    has_token: bool


def _wrong_roles(unknown: Sequence[str], wanted: Sequence[str]) -> str:
    if unknown:
        return f"There is no role {unknown[0][:60]!r}."
    return f"{len(wanted)} roles are too many." if wanted else "No role is named."


async def add_member(
    tx: Tx, token_name: str, roles: Collection[str], projects: Collection[str], *, actor: Actor
) -> Member:
    """Lets the holder of a token act in `roles`, in `projects` or in all. Again, it changes what it may.

    Only the founder may. Raises InvalidInput for a role that no process knows, NotFound for a token or project that
    there is none of, and NotAllowed for the founder's own token: the founder is no member.
    """
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not add members.", kept="Nothing was changed.", hint="The founder may."
        )
    known = board_roles()
    wanted = tuple(dict.fromkeys(roles))
    if not 1 <= len(wanted) <= _ROLES_MAX or set(wanted) - known:
        raise InvalidInput(
            _wrong_roles(sorted(set(wanted) - known), wanted),
            kept="Nothing was changed.",
            hint=f"Roles are {', '.join(sorted(known))}.",
        )
    for project in projects:
        await get_project(tx, project)
    token = await _sql.maybe(tx, "token_of_member", name=token_name)
    if token is None:
        raise NotFound(
            f"There is no valid token named {token_name[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("member.add", to="make one with it", name=token_name[:60]),
        )
    if token["founder"]:
        raise NotAllowed(
            f"{token_name} is the founder's token.",
            kept="Nothing was changed.",
            hint="Who may do everything needs no role; give a member a token of its own.",
        )
    row = await _sql.one(
        tx,
        "add_member",
        name=_caller_name(token_name),
        roles=list(wanted),
        projects=list(dict.fromkeys(projects)),
        token_id=token["id"],
    )
    return _member(row)


async def remove_member(tx: Tx, token_name: str, *, actor: Actor) -> None:
    """Ends what a member may do, at once; what it holds runs out with its lease. Raises NotFound."""
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not remove members.",
            kept="Nothing was changed.",
            hint="Only the founder may.",
        )
    if not await _sql.run(tx, "remove_member", name=_caller_name(token_name)):
        raise NotFound(
            f"There is no member {token_name[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("member.list", to="see them"),
        )


async def list_members(tx: Tx) -> list[Member]:
    """All members, those that were removed as well, by name."""
    return [_member(row) for row in await _sql.all(tx, "list_members")]


async def actor_of(tx: Tx, caller: Caller, project: str | None = None) -> Actor:
    """Who a caller is when it moves tasks of `project`. Raises NotAllowed for whoever is no member there."""
    if caller.founder:
        return FOUNDER
    row = await _sql.maybe(tx, "member", name=caller.name)
    if row is None:
        raise NotAllowed(
            f"{person(caller.name)} is no member of any team.",
            kept="Nothing was changed.",
            hint="Then show the token that it prints.",
            advice=Advice("member.add", to="add you as a member", role="ROLE"),
        )
    member = _member(row)
    if project is not None and member.projects and project not in member.projects:
        raise NotAllowed(
            f"{person(caller.name)} is no member of {project}.",
            kept="Nothing was changed.",
            hint=f"It may act in {', '.join(member.projects)}.",
        )
    return Actor(ActorKind.MEMBER, member.name, frozenset(member.roles), frozenset(member.projects))


def board_roles() -> frozenset[str]:
    """Every role of the processes that teams work by."""
    return frozenset(role for process in board_processes().values() for role in process.roles)


def _caller_name(token_name: str) -> str:
    return f"token:{token_name}"


def _member(row: DictRow) -> Member:
    return Member(**row | {"roles": tuple(row["roles"]), "projects": tuple(row["projects"])})

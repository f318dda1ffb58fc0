"""Members: agents and programs that may act, each with a credential of its own, which alone tells who moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from frasier.board.board_processes import board_processes
from frasier.board.boards import founder_only, get_board
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.humanize import person
from frasier.memory import Caller
from frasier.store import Statements, Tx, from_row
from frasier.workflow import FOUNDER, Actor, ActorKind

_sql = Statements("frasier.board.members")

_ROLES_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member. `name` is the caller's, as the credential proves it. No `boards` means all of them.

    Membership is bound to the token that the name had when it was added. Once that is revoked, `has_token` is false,
    and whoever is given the name with another token is no member until it is added.
    """

    name: str
    roles: tuple[str, ...]
    boards: tuple[str, ...]
    added_at: datetime
    removed_at: datetime | None
    has_token: bool


def _role_error(unknown: Sequence[str], requested: Sequence[str]) -> str:
    if unknown:
        return f"There is no role {unknown[0][:60]!r}."
    return f"{len(requested)} roles are too many." if requested else "No role is named."


async def add_member(
    tx: Tx, token_name: str, roles: Collection[str], boards: Collection[str], *, actor: Actor
) -> Member:
    """Let the holder of a token act in `roles`, on `boards` or on all. A repeated call changes them.

    Only the founder may. Raises InvalidInput for a role that no process knows, NotFound for an unknown token or board,
    and NotAllowed for the founder's own token: the founder is no member.
    """
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not add members.", kept="Nothing was changed.", hint="The founder may."
        )
    known = board_roles()
    requested = tuple(dict.fromkeys(roles))
    if not 1 <= len(requested) <= _ROLES_MAX or set(requested) - known:
        raise InvalidInput(
            _role_error(sorted(set(requested) - known), requested),
            kept="Nothing was changed.",
            hint=f"Roles are {', '.join(sorted(known))}.",
        )
    for board in boards:
        await get_board(tx, board)
    token = await _sql.maybe(tx, "token_of_member", name=token_name)
    if token is None:
        raise NotFound(
            f"There is no valid token named {token_name[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("member.add", to="make one with it", name=token_name[:60], role=requested[0]),
        )
    if token["founder"]:
        raise NotAllowed(
            f"{token_name} is the founder's token.",
            kept="Nothing was changed.",
            hint="The founder needs no role. Give the member a token of its own.",
        )
    return await _sql.one_as(
        Member,
        tx,
        "add_member",
        name=_caller_name(token_name),
        roles=list(requested),
        boards=list(dict.fromkeys(boards)),
        token_id=token["id"],
    )


async def remove_member(tx: Tx, token_name: str, *, actor: Actor) -> None:
    """Remove a member at once; its claims run out with their leases. Raises NotFound."""
    founder_only(actor, "remove members")
    if not await _sql.run(tx, "remove_member", name=_caller_name(token_name)):
        raise NotFound(
            f"There is no member {token_name[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("member.list", to="see them"),
        )


async def list_members(tx: Tx) -> list[Member]:
    """List all members by name, removed ones as well."""
    return await _sql.all_as(Member, tx, "list_members")


async def actor_of(tx: Tx, caller: Caller, board: str | None = None) -> Actor:
    """Return the actor that a caller is when it moves tasks of `board`. Raises NotAllowed if it is no member there."""
    if caller.founder:
        return FOUNDER
    if caller.read_only:
        # An observer sees every board and has no role on any.
        return Actor(ActorKind.MEMBER, caller.name, frozenset(), frozenset())
    row = await _sql.maybe(tx, "member", name=caller.name)
    if row is None:
        raise NotAllowed(
            f"{person(caller.name)} is no member of any team.",
            kept="Nothing was changed.",
            advice=Advice("member.add", to="add you as a member and get your token", role="ROLE"),
        )
    member = from_row(Member, row)
    if board is not None and member.boards and board not in member.boards:
        raise NotAllowed(
            f"{person(caller.name)} is no member of {board}.",
            kept="Nothing was changed.",
            hint=f"It may act on {', '.join(member.boards)}.",
        )
    return Actor(ActorKind.MEMBER, member.name, frozenset(member.roles), frozenset(member.boards))


def board_roles() -> frozenset[str]:
    """Return every role of the processes of boards."""
    return frozenset(role for process in board_processes().values() for role in process.roles)


def _caller_name(token_name: str) -> str:
    return f"token:{token_name}"

"""Resolve the boards that a caller may see, and the task that it names on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.board.boards import Board, get_board, list_boards
from frasier.board.expired_leases import release_expired
from frasier.board.members.members import actor_of
from frasier.board.overview.board import find_on_boards
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import only_match
from frasier.memory import Caller
from frasier.store import Tx
from frasier.workflow import Actor, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTask:
    """A task that a caller names, with its board, and the actor that the caller is there."""

    task: Task
    board: Board
    actor: Actor


async def resolve_task(tx: Tx, caller: Caller, name: str, board: str | None = None) -> ResolvedTask:
    """Find the task that `name` names: name, board/name, or the id, its beginning or its end. A name goes before an id.
    A task whose lease has expired is given back first.

    Raises NotFound, InvalidInput if several tasks match, and NotAllowed if the caller is no member of its board.
    """
    prefix, _, slug = name.strip().rpartition("/")
    wanted = prefix or board or None
    found = await find_on_boards(tx, slug, board=wanted)
    actor, allowed = await boards_of_caller(tx, caller)
    mine = [task for task in found if task.fields.get("board") in {one.name for one in allowed}]
    if not mine:
        raise NotFound(
            f"There is no task {name[:80]!r}{f' in {wanted}' if wanted else ''} for you.",
            advice=Advice("task.list", to="see those that there are"),
        )
    if len(mine) > 1 and mine[0].slug != slug:
        only_match(slug, "tasks", mine, lambda task: f"{task.id} ({task.slug})")
    if len(mine) > 1:
        boards = ", ".join(sorted(str(task.fields["board"]) for task in mine))
        raise InvalidInput(f"{slug[:80]!r} is a task of {boards}.", hint="Say which: board/name.")
    on_board = str(mine[0].fields["board"])
    return ResolvedTask(
        task=await _released_if_expired(tx, mine[0]),
        board=next(one for one in allowed if one.name == on_board),
        actor=actor,
    )


async def _released_if_expired(tx: Tx, task: Task) -> Task:
    if task.lease_until is None:
        return task
    released = await release_expired(tx, [task.process], task_id=task.id)
    return released[0] if released else task


async def boards_of_caller(tx: Tx, caller: Caller, named: str | None = None) -> tuple[Actor, Sequence[Board]]:
    """Return the actor that the caller is on boards, and those that it may see, or the named one.

    Raises NotAllowed and NotFound.
    """
    actor = await actor_of(tx, caller, named)
    if named is not None:
        return actor, [await get_board(tx, named)]
    every = await list_boards(tx)
    return actor, [one for one in every if not actor.boards or one.name in actor.boards]


async def only_board(tx: Tx, caller: Caller, named: str | None = None) -> Board:
    """Return the named board, or the only one that the caller may see; raise InvalidInput if there is none or are
    several.
    """
    _, found = await boards_of_caller(tx, caller, named)
    if not found:
        raise InvalidInput(
            "There is no board.", kept="Nothing was changed.", advice=Advice("board.make", to="make one")
        )
    if len(found) != 1:
        there = ", ".join(one.name for one in found)
        raise InvalidInput(
            "No board is named.", kept="Nothing was changed.", hint=f"Name one of {there} as the board."
        )
    return found[0]

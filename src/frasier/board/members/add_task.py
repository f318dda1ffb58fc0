"""Add a task to a board: by whom the process allows, with what it requires from the start."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from frasier.board.board_processes import board_processes
from frasier.board.boards import Board
from frasier.board.gates.single_use import use_words
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, TransitionRefused
from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx, events_of
from frasier.workflow import (
    Actor,
    Dependency,
    DependencyKind,
    NewTask,
    Process,
    Task,
    check_fields,
    create_tasks,
    get_task,
    is_filled,
    read_new_processes,
    split_filled,
    value_digest,
)

_sql = Statements("frasier.board.members")

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_TITLE_CHARS_MAX = 300
_KEPT = "No task was made."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBoardTask:
    """A task to add. `needs` are slugs of tasks that must be completed first, `about` those that it comes from (of a
    bug at least one). `role` acts first; if it is empty, the process's usual one.
    """

    process: str
    slug: str
    title: str
    role: str = ""
    priority: int = 0
    fields: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    id: UUID = field(default_factory=new_id)


async def add_task(tx: Tx, board: Board, new: NewBoardTask, *, actor: Actor) -> Task:
    """Add a task to the board. The task that the same actor added before in the same words is returned (it has another
    id than `new`), so that a call whose answer was lost can be repeated.

    Raises TransitionRefused if the actor may not, InvalidInput for missing or invalid values, and NotFound for a task
    to depend on that does not exist.
    """
    process = board_processes().get(new.process)
    if process is None:
        named = ", ".join(sorted(board_processes()))
        hint = " ".join((f"There are {named}.", *read_new_processes()))
        raise InvalidInput(f"No board works by {new.process[:60]!r}.", kept=_KEPT, hint=hint)
    _check_creation(process, new, actor)
    checked = check_fields(
        process,
        new.fields,
        actor=actor,
        role=new.role or process.creation.roles[0],
        task=new.slug,
        unchanged=_KEPT,
    )
    fields, _ = split_filled(checked)
    new_task = NewTask(
        id=new.id,
        process=process.name,
        slug=new.slug,
        title=" ".join(new.title.split()),
        group_id=board.id,
        role=new.role or process.creation.roles[0],
        priority=new.priority,
        fields={**fields, "board": board.name},
        depends_on=await _edges(tx, board, new),
    )
    try:
        [task] = await create_tasks(tx, [new_task], actor=actor)
    except InvalidInput:
        if (there := await _added_before(tx, new_task, actor)) is None:
            raise
        return there
    await use_words(tx, task, task.fields, task.fields)
    return task


async def _added_before(tx: Tx, new_task: NewTask, actor: Actor) -> Task | None:
    """Return the task of that name, if the actor added it exactly so, whatever became of its fields since."""
    row = await _sql.maybe(tx, "task_with_needs", group_id=new_task.group_id, slug=new_task.slug)
    if row is None or set(row["needs"]) != {f"{edge.kind}:{edge.depends_on}" for edge in new_task.depends_on}:
        return None
    added, task = (await events_of(tx, row["id"]))[0], await get_task(tx, row["id"])
    written = {name: value_digest(value) for name, value in new_task.fields.items()}
    same = (
        task.process,
        task.title,
        task.priority,
        added.payload.get("role"),
        added.payload.get("wrote"),
    ) == (
        new_task.process,
        new_task.title,
        new_task.priority,
        new_task.role,
        written,
    )
    return task if same and added.actor == str(actor) else None


def _check_creation(process: Process, new: NewBoardTask, actor: Actor) -> None:
    creation = process.creation
    if not actor.is_among(creation.actors, ""):
        raise TransitionRefused(
            f"{actor.person} may not create a {process.name}.",
            kept=_KEPT,
            hint=f"It can be done by: {', '.join(sorted(creation.actors))}.",
        )
    if new.role and new.role not in creation.roles:
        raise InvalidInput(
            f"A {process.name} does not begin with {new.role[:40]!r}.",
            kept=_KEPT,
            hint=f"It begins with {' or '.join(creation.roles)}.",
        )
    if not _SLUG.fullmatch(new.slug):
        raise InvalidInput(
            f"{new.slug[:60]!r} cannot be a task's name.",
            kept=_KEPT,
            hint="Use 1 to 100 lower-case letters, digits, dots, dashes and underscores.",
        )
    check_title(new.title, preserved=_KEPT)
    if creation.parent and not (new.about or new.needs):
        raise InvalidInput(
            f"A {process.name} must name the task that it is about.",
            kept=_KEPT,
            hint="Name the task that it was found in.",
        )
    if missing := sorted(name for name in creation.requires if not is_filled(new.fields.get(name))):
        raise InvalidInput(
            f"A {process.name} lacks {', '.join(missing)}.",
            kept=_KEPT,
            hint="It must be understandable by itself: say what is wanted, and how to see that it is done.",
            facts={"move": "create", "missing": missing},
        )


def check_title(title: str, *, preserved: str) -> None:
    """Raise InvalidInput for a title that is empty or too long."""
    if not 1 <= len(title.strip()) <= _TITLE_CHARS_MAX:
        raise InvalidInput(
            f"A title must have 1 to {_TITLE_CHARS_MAX} characters.",
            kept=preserved,
            hint="Say in one line what is wanted; description takes the rest.",
        )


async def _edges(tx: Tx, board: Board, new: NewBoardTask) -> tuple[Dependency, ...]:
    needs = await ids_of_slugs(tx, board, new.needs, preserved=_KEPT)
    about = await ids_of_slugs(tx, board, new.about, preserved=_KEPT)
    return (
        *(Dependency(depends_on=task_id, kind=DependencyKind.BLOCKS) for task_id in needs.values()),
        *(
            Dependency(depends_on=task_id, kind=DependencyKind.INFORMS)
            for slug, task_id in about.items()
            if slug not in needs
        ),
    )


async def ids_of_slugs(tx: Tx, board: Board, slugs: Collection[str], *, preserved: str) -> dict[str, UUID]:
    """Return the ids of tasks of the board by their names, in their order; a name may have the board in front, as in
    kettle/tea. Raises NotFound for a name that the board lacks, so also for one of another board.
    """
    names = list(dict.fromkeys(slug.removeprefix(f"{board.name}/") for slug in slugs))
    ids: dict[str, UUID] = {
        row["slug"]: row["id"] for row in await _sql.all(tx, "ids_of_slugs", group_id=board.id, slugs=names)
    }
    if unknown := [slug for slug in names if slug not in ids]:
        raise NotFound(
            f"{board.name} has no task {unknown[0][:80]!r}.",
            kept=preserved,
            hint=f"Name tasks of {board.name}: a task depends on none of another board.",
            advice=Advice("task.list", to="see them"),
        )
    return {slug: ids[slug] for slug in names}

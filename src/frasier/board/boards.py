"""Projects: each a board of tasks under a name, with how far its team may go without the founder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Stale
from frasier.kernel.humanize import person
from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx, append_event
from frasier.workflow import Actor, ActorKind

_sql = Statements("frasier.board")

# The schema holds the same pattern.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class ApprovalMode(StrEnum):
    """Which moves need the founder's decision: none; those that complete; none, but whoever moves says what the
    founder answered; all that a table marks.
    """

    AUTONOMOUS = "autonomous"
    AUTO_APPROVAL = "auto-approval"
    SEMI = "semi"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """`id` is the group of its tasks. `mode_version` counts the changes of the mode, `mode_by` made the last one."""

    id: UUID
    name: str
    approval_mode: ApprovalMode
    mode_version: int
    mode_by: str
    mode_at: datetime
    created_at: datetime


async def make_project(tx: Tx, name: str, *, actor: Actor) -> Project:
    """A project with an empty board, in mode manual. Only the founder may; raises InvalidInput for a name in use."""
    _founder_only(actor, "make a project")
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:60]!r} cannot be a project's name.",
            kept="No project was made.",
            hint="Use 1 to 64 lower-case letters, digits, dots, dashes and underscores.",
        )
    row = await _sql.maybe(tx, "make_project", id=new_id(), name=name, by=str(actor))
    if row is None:
        raise InvalidInput(
            f"There is a project {name} already.", kept="It is unchanged.", hint="Use it, or another name."
        )
    project = _project(row)
    await append_event(tx, stream=project.id, kind="project.made", actor=str(actor), payload={"name": name})
    return project


async def get_project(tx: Tx, name: str) -> Project:
    """The project of that name; raises NotFound."""
    row = await _sql.maybe(tx, "get_project", name=name)
    if row is None:
        raise NotFound(
            f"There is no project {name[:60]!r}.", advice=Advice("board.list", to="see those that there are")
        )
    return _project(row)


async def project_of(tx: Tx, group_id: UUID, *, keep: bool = False) -> Project | None:
    """The project whose board a group of tasks is; None for a mission's. With `keep` its mode stays as it is until the
    transaction ends.
    """
    row = await _sql.maybe(tx, "keep_project_of_group" if keep else "project_of_group", id=group_id)
    return _project(row) if row else None


async def list_projects(tx: Tx) -> list[Project]:
    """All projects by name."""
    return [_project(row) for row in await _sql.all(tx, "list_projects")]


async def set_mode(tx: Tx, name: str, mode: ApprovalMode, *, seen: int | None, actor: Actor) -> Project:
    """Changes how far the team may go. Only the founder may; `seen` is the mode_version that was looked at.

    Raises Stale where somebody changed it since: an old page changes nothing back.
    """
    _founder_only(actor, "change the approval mode")
    project = await get_project(tx, name)
    row = await _sql.maybe(
        tx,
        "set_mode",
        id=project.id,
        mode=mode,
        seen=project.mode_version if seen is None else seen,
        by=str(actor),
    )
    if row is None:
        raise Stale(
            f"The mode of {name} was changed meanwhile: it is {project.approval_mode}, by {person(project.mode_by)}.",
            kept="It is unchanged.",
            hint="Look at it again and decide anew.",
        )
    changed = _project(row)
    await append_event(
        tx,
        stream=project.id,
        kind="project.mode",
        actor=str(actor),
        payload={"from": project.approval_mode, "to": mode, "version": changed.mode_version},
    )
    return changed


def _founder_only(actor: Actor, what: str) -> None:
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not {what}.", kept="Nothing was changed.", hint="Only the founder may."
        )


def _project(row: DictRow) -> Project:
    return Project(**row | {"approval_mode": ApprovalMode(row["approval_mode"])})

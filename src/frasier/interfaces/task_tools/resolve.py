"""Who asks, and which task is meant: by its id, or by its name on a board."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.board import (
    Board,
    Project,
    ResolvedTask,
    actor_of,
    only_project,
    resolve_task,
    visible_projects,
)
from frasier.interfaces.tools import Surroundings
from frasier.kernel.errors import ConfigurationError
from frasier.workflow import Actor


def board_of(around: Surroundings) -> Board:
    """The board that tools of tasks work on."""
    if around.board is None:
        raise ConfigurationError(
            "No tasks are served here.", hint="`frasier mcp` and `frasier serve` serve them."
        )
    return around.board


async def find_meant(around: Surroundings, text: str, project: str | None) -> ResolvedTask:
    """The task that `text` names; see resolve_task."""
    return await board_of(around).in_transaction(resolve_task, around.caller, text, project)


async def who_asks(around: Surroundings, project: str | None = None) -> Actor:
    """Whoever asks, as boards know it, or one of them; see actor_of."""
    return await board_of(around).in_transaction(actor_of, around.caller, project)


async def projects_of(around: Surroundings, named: str | None) -> Sequence[Project]:
    """The projects that whoever asks may see, or the one that is named; see visible_projects."""
    return await board_of(around).in_transaction(visible_projects, around.caller, named)


async def the_project(around: Surroundings, named: str | None) -> Project:
    """The project that is named, or the only one that there is for whoever asks; see only_project."""
    return await board_of(around).in_transaction(only_project, around.caller, named)

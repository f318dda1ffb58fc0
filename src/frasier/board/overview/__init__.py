"""The board for those who look at it: how many tasks stand where, who works, which task is meant. Reading only."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.overview.blocked import Blocked as Blocked, blocked_tasks as blocked_tasks
    from frasier.board.overview.board import (
        BusyWorker as BusyWorker,
        busy_workers as busy_workers,
        find_on_boards as find_on_boards,
        find_task as find_task,
        task_of_group as task_of_group,
    )
    from frasier.board.overview.board import anybody_works as anybody_works
else:
    lazy_exports(__name__)

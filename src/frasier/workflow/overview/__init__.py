"""The board for those who look at it: how many tasks stand where, who works, which task is meant. Reading only."""

from frasier.workflow.overview.board import (
    BusyWorker,
    OpenTasks,
    busy_workers,
    count_open_tasks,
    find_on_boards,
    find_task,
    open_tasks_by_assignee,
    task_of_group,
)

__all__ = [
    "BusyWorker",
    "OpenTasks",
    "busy_workers",
    "count_open_tasks",
    "find_on_boards",
    "find_task",
    "open_tasks_by_assignee",
    "task_of_group",
]

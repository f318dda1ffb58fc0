"""The workflow engine: tasks move by declared transitions, each with its marker and event, or not at all."""

from frasier.workflow.beat import LeaseBeat
from frasier.workflow.blocking import Blocked, block, blocked_tasks, restore
from frasier.workflow.claim import (
    FAILED_RUNS_MAX,
    claim,
    claim_task,
    end_leases_of,
    fence,
    recover_expired,
    renew,
    seconds_until_due,
)
from frasier.workflow.create import READY_CHANNEL, create_tasks
from frasier.workflow.declared import processes
from frasier.workflow.graph import find_cycle, levels, width
from frasier.workflow.group import cancel_group, dependencies_of, hold, tasks_of
from frasier.workflow.lookup import get_task
from frasier.workflow.overview import (
    BusyWorker,
    OpenTasks,
    busy_workers,
    count_open_tasks,
    find_task,
    open_tasks_by_assignee,
    task_of_group,
)
from frasier.workflow.process import (
    BLOCKED,
    FOUNDER,
    POLICY,
    SYSTEM,
    Actor,
    ActorKind,
    Outcome,
    Process,
    Transition,
)
from frasier.workflow.retry import retry
from frasier.workflow.task import Dependency, DependencyKind, NewTask, Task
from frasier.workflow.transition import move

__all__ = [
    "BLOCKED",
    "FAILED_RUNS_MAX",
    "FOUNDER",
    "POLICY",
    "READY_CHANNEL",
    "SYSTEM",
    "Actor",
    "ActorKind",
    "Blocked",
    "BusyWorker",
    "Dependency",
    "DependencyKind",
    "LeaseBeat",
    "NewTask",
    "OpenTasks",
    "Outcome",
    "Process",
    "Task",
    "Transition",
    "block",
    "blocked_tasks",
    "busy_workers",
    "cancel_group",
    "claim",
    "claim_task",
    "count_open_tasks",
    "create_tasks",
    "dependencies_of",
    "end_leases_of",
    "fence",
    "find_cycle",
    "find_task",
    "get_task",
    "hold",
    "levels",
    "move",
    "open_tasks_by_assignee",
    "processes",
    "recover_expired",
    "renew",
    "restore",
    "retry",
    "seconds_until_due",
    "task_of_group",
    "tasks_of",
    "width",
]

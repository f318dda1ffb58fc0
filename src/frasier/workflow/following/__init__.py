"""What an agent needs to go on: where it stands, what waits for it, and to be woken when something does."""

from frasier.workflow.following.actionable import (
    EVER_DAYS,
    Card,
    Notice,
    calls_for,
    card_of,
    cards,
    count_cards,
    count_over,
    notices,
)
from frasier.workflow.following.breadcrumb import breadcrumb
from frasier.workflow.following.recovering import Held, Recovery, recover
from frasier.workflow.following.replaying import (
    CHANGED,
    SAMPLE,
    Replayed,
    Replays,
    check_trail,
    replay,
    replay_tasks,
)
from frasier.workflow.following.waiting import wait_for_work
from frasier.workflow.following.working_memory import (
    WorkingMemory,
    forget_working_memory,
    read_working_memory,
    write_working_memory,
)

__all__ = [
    "CHANGED",
    "EVER_DAYS",
    "SAMPLE",
    "Card",
    "Held",
    "Notice",
    "Recovery",
    "Replayed",
    "Replays",
    "WorkingMemory",
    "breadcrumb",
    "calls_for",
    "card_of",
    "cards",
    "check_trail",
    "count_cards",
    "count_over",
    "forget_working_memory",
    "notices",
    "read_working_memory",
    "recover",
    "replay",
    "replay_tasks",
    "wait_for_work",
    "write_working_memory",
]

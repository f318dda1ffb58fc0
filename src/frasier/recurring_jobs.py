"""The jobs that the heartbeat repeats: seals, post-mortems, upkeep of the board and the memory, and what expires."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from frasier.board import board_upkeep, vectors_watch
from frasier.heartbeat import Job
from frasier.memory import PROMPT, VECTORS, upkeep
from frasier.org.conversation import notify_founder, warn_before_caps
from frasier.org.execution import remind_of_questions
from frasier.org.improvement import end_overdue_trials, keep_up_improvements, start_evaluations
from frasier.org.planning import end_past_caps
from frasier.overview import read_mission_figures
from frasier.store import make_event_partitions, purge_requests
from frasier.work import purge_uploads
from frasier.workflow import bring_delays_forward

if TYPE_CHECKING:
    from frasier.llm import Caps
    from frasier.memory import MemoryEngine
    from frasier.store import AuditLog, Database
    from frasier.work import AvailableMeans, PostMortemRecorder


def recurring_jobs(
    database: Database,
    memory: MemoryEngine,
    audit_log: AuditLog,
    post_mortems: PostMortemRecorder,
    means: AvailableMeans,
    caps: Caps,
) -> list[Job]:
    """Build the jobs of one process."""
    # What works with a model recalls by meaning, also in a process that sees only one mission through.
    prompt = PROMPT if means.rehearsal else PROMPT | {VECTORS}
    watch, watch_every_s, look = vectors_watch(memory, notify_founder)
    return [
        Job("seal", 10.0, audit_log.seal),
        Job("post-mortems", 5.0, post_mortems.record_new),
        Job("delays", 10.0, partial(database.in_transaction, bring_delays_forward)),
        Job("caps", 30.0, partial(database.in_transaction, end_past_caps)),
        Job("cap-warnings", 30.0, partial(database.in_transaction, warn_before_caps, caps)),
        Job("evaluations", 2.0, partial(database.in_transaction, start_evaluations)),
        Job("event-partitions", 21_600.0, partial(make_event_partitions, database)),
        Job("idempotency-keys", 3_600.0, partial(purge_requests, database), patient=True),
        Job("trials", 3_600.0, partial(database.in_transaction, end_overdue_trials), patient=True),
        Job(
            "improvements",
            600.0,
            partial(database.in_transaction, keep_up_improvements, read_mission_figures),
            patient=True,
        ),
        Job("questions", 3_600.0, partial(database.in_transaction, remind_of_questions), patient=True),
        Job("uploads", 3_600.0, partial(purge_uploads, database), patient=True),
        *(Job(name, every_s, run) for name, every_s, run in board_upkeep(database, notify_founder)),
        *(
            Job(f"memory-{name}", every_s, run, patient=name not in prompt)
            for name, every_s, run in upkeep(memory)
        ),
        # Where the vectors are made, it is known whether they can be.
        Job(watch, watch_every_s, look, patient=VECTORS not in prompt),
    ]

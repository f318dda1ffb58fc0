"""The audit trail replayed: from a task's events, by its table alone, to where it must be. What differs is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from frasier.store import Database, Event, Statements, Tx, events_of, events_of_each
from frasier.workflow.declared import processes
from frasier.workflow.judgements import held_digest
from frasier.workflow.lookup import get_task
from frasier.workflow.process import BLOCKED, Process, Transition
from frasier.workflow.task import Task, task_of, value_digest

_sql = Statements("frasier.workflow.following")

SAMPLE = 500
"""How many tasks are replayed where not all are asked for."""
_BATCH = 100
_NAMED = 100

# What is recorded of a task and changes nothing of it.
_BESIDE = ("task.evidence", "task.decision_")


@dataclass(slots=True, kw_only=True)
class Replayed:
    """Where the events lead. `held` has the digest of each field's value, `judged` what each judgement that stands was
    given for, with the digest of that; `place` is that of a pause.
    """

    process: Process
    status: str = ""
    role: str = ""
    version: int = 0
    attempt: int = 0
    strikes: int = 0
    holder: str | None = None
    place: tuple[str, str, str | None] | None = None
    held: dict[str, str] = field(default_factory=dict)
    judged: dict[str, tuple[list[str], str]] = field(default_factory=dict)
    result: str | None = None
    problems: list[str] = field(default_factory=list)


def replay(process: Process, events: Iterable[Event]) -> Replayed:
    """Where a task of a team's process must be after `events`, oldest first. A move that the table does not have, or
    that starts from elsewhere than the one before led to, is one of the `problems`.
    """
    state = Replayed(process=process)
    for event in events:
        # What was sent because of the task stands in its stream, too.
        if event.kind.startswith("task.") and not event.kind.startswith(_BESIDE):
            _apply(state, event)
    return state


async def check_trail(tx: Tx, task_id: UUID) -> list[str]:
    """In what a task differs from what its own history says; empty where in nothing."""
    while True:
        task = await get_task(tx, task_id)
        events = await events_of(tx, task_id)
        if (await get_task(tx, task_id)).version == task.version:
            return _check(task, events)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replays:
    """How many of the `tasks` were `replayed`, and the first of those that differ from their history, with in what."""

    tasks: int
    replayed: int
    differing: Mapping[str, Sequence[str]]


async def replay_tasks(database: Database, *, sample: int | None = None) -> Replays:
    """Replays the history of every task, or of so many that are drawn; a batch of them at a time."""
    async with database.transaction() as tx:
        tasks = int((await _sql.one(tx, "count_tasks"))["tasks"])
        drawn = None
        if sample is not None and sample < tasks:
            drawn = [row["id"] for row in await _sql.all(tx, "draw_tasks", number=sample)]
    replayed, after, differing = 0, 0, dict[str, list[str]]()
    while True:
        async with database.transaction() as tx:
            rows = await _sql.all(tx, "tasks_to_replay", ids=drawn, after=after, limit=_BATCH)
            if not rows:
                return Replays(tasks=tasks, replayed=replayed, differing=differing)
            batch = [task_of(row) for row in rows]
            events = await events_of_each(tx, [task.id for task in batch])
            replayed += sum(not _is_older(events[task.id]) for task in batch)
            # One that is moved between the two statements is looked at again, by itself.
            wrong = [task for task in batch if _check(task, events[task.id])]
            for task in wrong[: _NAMED - len(differing)]:
                if problems := await check_trail(tx, task.id):
                    differing[f"{task.fields.get('project') or task.group_id}/{task.slug}"] = problems
        after = batch[-1].num


def _is_older(events: Sequence[Event]) -> bool:
    """Whether the task was made before events told enough to be replayed."""
    return bool(events) and "version" not in events[0].payload


def _check(task: Task, events: Sequence[Event]) -> list[str]:
    if _is_older(events):
        return []
    if not events:
        return ["it has no history"]
    if task.process not in processes():
        return [f"there is no process {task.process}"]
    state = replay(task.definition, events)
    return [*state.problems, *_differences(state, task)]


def _apply(state: Replayed, event: Event) -> None:
    name, said = event.kind.removeprefix("task."), event.payload
    state.version += 1
    if name == "created":
        state.status, state.role = state.process.initial, str(said.get("role", ""))
    elif name == "block":
        if state.place is None:
            state.place = (state.status, state.role, state.holder)
        else:
            state.version -= 1  # a further reason for the same pause changes nothing of the task
        state.status, state.role, state.holder = BLOCKED, str(said["role"]), None
    elif name == "restore":
        state.status, state.role, state.holder = state.place or ("", "", None)
        state.place = None
    elif name == "retry":
        _move(state, event, state.process.transitions.get(name))
        state.strikes, state.result = 0, None
    elif name != "edit":
        _move(state, event, state.process.transitions.get(name))
    for cleared in said.get("cleared", ()):
        state.held.pop(cleared, None)
    wrote = {
        one: digest for one, digest in said.get("wrote", {}).items() if one not in said.get("cleared", ())
    }
    state.held |= wrote
    _judge(state, event)


def _judge(state: Replayed, event: Event) -> None:
    """Judgements as the event gives and clears them; one that stands judged what the task holds."""
    said = event.payload
    cleared = said.get("judgements_cleared", {})
    for name in (*cleared, *said.get("cleared", ())):
        state.judged.pop(name, None)
    for name in cleared:
        state.judged.pop(f"move {name}", None)
    for key, one in said.get("judged", {}).items():
        state.judged[key] = (one["of"], one["digest"])
    state.problems += [
        f"event {event.seq}: {key} stands, and judged something else"
        for key, (of, digest) in state.judged.items()
        if held_digest(state.held, of) != digest
    ]


def _move(state: Replayed, event: Event, rule: Transition | None) -> None:
    if rule is None:
        state.problems.append(f"event {event.seq}: there is no {event.kind}")
        return
    if not rule.starts_from(state.status, state.role):
        state.problems.append(f"event {event.seq}: {rule.name} from {state.status} with {state.role}")
    if event.payload.get("from", state.status) != state.status:
        state.problems.append(f"event {event.seq}: it was {event.payload['from']}, not {state.status}")
    state.role = state.process.next_role(rule, role=state.role, fields=event.payload, task=str(event.stream))
    state.status, state.place = rule.to, None
    state.strikes += int(rule.strike)
    state.result = event.payload.get("result_digest") or state.result
    claims = rule.name == state.process.claim
    state.attempt += int(claims)
    state.holder = event.actor.partition(":")[2] if claims else None


def _differences(state: Replayed, task: Task) -> list[str]:
    now = {name: value_digest(value) for name, value in task.fields.items()}
    standing = {key: one["digest"] for key, one in task.judgements.items() if one["digest"]}
    outcome = state.process.statuses.get(state.status)
    pairs: dict[str, tuple[object, object]] = {
        "status": (task.status, state.status),
        "role": (task.role, state.role),
        "version": (task.version, state.version),
        "attempt": (task.attempt, state.attempt),
        "strikes": (task.strikes, state.strikes),
        "holder": (task.lease_owner, state.holder),
        "outcome": (task.outcome, outcome and outcome.outcome),
        **{
            f"judgement {key}": (standing.get(key), state.judged.get(key, ((), None))[1])
            for key in {*standing, *state.judged}
        },
    }
    if task.definition.for_teams:
        pairs |= {f"field {name}": (now.get(name), state.held.get(name)) for name in {*now, *state.held}}
    elif "result_digest" in task.definition.fields:
        pairs["result_digest"] = (task.result_digest, state.result)
    return [
        f"{what} is {is_now!r}, its history says {said!r}"
        for what, (is_now, said) in sorted(pairs.items())
        if is_now != said
    ]

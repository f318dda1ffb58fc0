"""Replay of the audit log: derive each task's state from its events and its process table, and report differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from frasier.kernel.errors import TransitionRefused
from frasier.store import Database, Event, Statements, Tx, events_of_each, events_of_kind
from frasier.workflow import (
    BLOCKED,
    Process,
    Task,
    Transition,
    combined_digest,
    get_task,
    is_own,
    processes,
    rules_of,
    task_of,
    value_digest,
)

_sql = Statements("frasier.board.agent_inbox")

SAMPLE = 500
"""The number of tasks that are replayed unless all are asked for."""
_BATCH = 100
_DIFFERENCES_MAX = 100
_TITLE_CHARS = 200  # the part of a title that an event always holds whole

# Events of a task that change nothing of it.
_IGNORED_KINDS = ("task.evidence", "task.decision_")
_IGNORED_PATTERNS = ("task.evidence%", r"task.decision\_%")

CHANGED = "it cannot be replayed: its process was changed since, or is gone"
"""The finding for a task of a founder's own process whose moves its table does not have any more."""

# Errors of reading a row or an event that was not written by this program.
_UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, TransitionRefused)


@dataclass(slots=True, kw_only=True)
class ReplayedState:
    """The state that the events lead to. `held` has the digest of each field's value; `judged` has, for each judgement,
    the fields that it judged, their digest (empty once it is cleared) and who gave it; `place` is the position of a
    pause. `outside` tells whether a move was made that the table does not have, or not in that way.
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
    judged: dict[str, dict[str, Any]] = field(default_factory=dict)
    result: str | None = None
    outside: bool = False
    problems: list[str] = field(default_factory=list)


def replay(process: Process, events: Iterable[Event]) -> ReplayedState:
    """Return the state of a task of a team's process after `events`, oldest first. A move that the table does not have,
    or that starts from another position than the one before led to, is one of the `problems`.
    """
    state = ReplayedState(process=process)
    for event in events:
        # Effects of the task are in its stream, too.
        if event.kind.startswith("task.") and not event.kind.startswith(_IGNORED_KINDS):
            _apply(state, event)
    return state


async def check_trail(tx: Tx, task_id: UUID) -> list[str]:
    """List the differences between a task and its own history: none if they agree, CHANGED if that cannot be told."""
    while True:
        task = await get_task(tx, task_id)
        found = await _check_each(tx, [task])
        now = await get_task(tx, task_id)
        if (now.version, now.pending_deps) == (task.version, task.pending_deps):
            checked = found[task_id]
            return checked.problems or ([CHANGED] if checked.changed else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """The result of a replay: the number of `tasks`, of those `replayed`, of those that cannot be because their process
    was `changed` since, and the first tasks that differ from their history, each with its differences.
    """

    tasks: int
    replayed: int
    changed: int
    differing: Mapping[str, Sequence[str]]


async def replay_tasks(database: Database, *, sample: int | None = None) -> ReplayReport:
    """Replay the history of every task, or of a random `sample`, in batches. Without a sample, a history whose task is
    gone counts as a difference, too.
    """
    drawn, differing = None, dict[str, list[str]]()
    async with database.transaction() as tx:
        tasks = int((await _sql.one(tx, "count_tasks"))["tasks"])
        if sample is not None and sample < tasks:
            drawn = [row["id"] for row in await _sql.all(tx, "sample_tasks", number=sample)]
        else:
            differing = await _tasks_gone(tx)
    checked, replayed, changed, after = 0, 0, 0, 0
    while True:
        async with database.transaction() as tx:
            rows = await _sql.all(tx, "tasks_to_replay", ids=drawn, after=after, limit=_BATCH)
            if not rows:
                # Those that came meanwhile were read, too.
                tasks = max(tasks, checked)
                return ReplayReport(tasks=tasks, replayed=replayed, changed=changed, differing=differing)
            batch = [task_of(row) for row in rows]
            found = await _check_each(tx, batch)
            checked += len(batch)
            replayed += sum(one.replayed for one in found.values())
            changed += sum(one.changed for one in found.values())
            # A task that was moved between the two statements is checked again, by itself.
            wrong = [task for task in batch if found[task.id].problems]
            for task in wrong[: max(_DIFFERENCES_MAX - len(differing), 0)]:
                if problems := await check_trail(tx, task.id):
                    differing[_display_name(task)] = problems
        after = batch[-1].num


async def _tasks_gone(tx: Tx) -> dict[str, list[str]]:
    """Return the first tasks that have a history and no row."""
    missing, last = dict[str, list[str]](), 0
    while len(missing) < _DIFFERENCES_MAX:
        made = await events_of_kind(tx, "task.created", after=last, limit=1_000)
        if not made:
            break
        last = made[-1].id
        ids = [event.stream for event in made]
        existing = {row["id"] for row in await _sql.all(tx, "existing_tasks", ids=ids)}
        missing |= {
            f"{event.payload.get('slug', 'a task')} ({event.stream})": [
                "it is gone, and its history is there"
            ]
            for event in made
            if event.stream not in existing
        }
    return missing


def _display_name(task: Task) -> str:
    fields = task.fields if isinstance(task.fields, dict) else {}
    return f"{fields.get('board') or fields.get('mission') or task.group_id}/{task.slug}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    problems: list[str] = field(default_factory=list)
    replayed: bool = True
    changed: bool = False


async def _check_each(tx: Tx, tasks: Sequence[Task]) -> dict[UUID, _Checked]:
    ids = [task.id for task in tasks]
    waits_for = {row["id"]: row["tasks"] for row in await _sql.all(tx, "count_open_dependencies", ids=ids)}
    events = await events_of_each(tx, ids, without=_IGNORED_PATTERNS)
    return {task.id: _check(task, waits_for.get(task.id, 0), events[task.id]) for task in tasks}


def _check(task: Task, waits_for: int, events: Sequence[Event]) -> _Checked:
    if not events:
        return _Checked(problems=["it has no history"])
    said = events[0].payload
    if "version" not in said:
        return _Checked(replayed=False)  # made before events held enough to be replayed
    titled = [event.payload["title"] for event in events if _tells_title(event)]
    title = str(titled[-1] if titled else task.title)
    made = _mismatches(
        {
            "process": (task.process, said.get("process", task.process)),
            "title": (task.title[:_TITLE_CHARS], title[:_TITLE_CHARS]),
            "slug": (task.slug, said.get("slug")),
            "group": (str(task.group_id), said.get("group")),
            "open dependencies": (task.pending_deps, waits_for),
        }
    )
    if task.process not in processes():
        return _Checked(problems=made, replayed=False, changed=not made)
    try:
        state = replay(task.definition, events)
    except _UNREADABLE as error:
        if is_own(task.process):
            return _Checked(problems=made, replayed=False, changed=not made)
        return _Checked(problems=[*made, f"its events cannot be read: {_error_text(error)}"])
    if state.outside and is_own(task.process):
        return _Checked(problems=made, replayed=False, changed=not made)
    try:
        return _Checked(problems=[*made, *state.problems, *_differences(state, task)])
    except _UNREADABLE as error:
        return _Checked(problems=[*made, *state.problems, f"its row cannot be read: {_error_text(error)}"])


def _tells_title(event: Event) -> bool:
    return event.kind in {"task.created", "task.edit"} and "title" in event.payload


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error!s:.200}"


def _apply(state: ReplayedState, event: Event) -> None:
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
    elif name == "retry" or "round" in said:  # a new round of an ended task has no result yet
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


def _judge(state: ReplayedState, event: Event) -> None:
    """Apply the judgements that the event gives and clears; one that stands must have judged what the task holds."""
    said = event.payload
    cleared, emptied = said.get("judgements_cleared", {}), said.get("cleared", ())
    for name in emptied:
        if name not in cleared and state.judged.get(name, {}).get("digest"):
            del state.judged[name]
    for name, by in cleared.items():
        move, declared = f"move {name}", state.process.fields.get(name)
        # A field and a move may have one name.
        fell = [name] if declared and declared.judges and state.judged.get(name, _GIVEN)["digest"] else []
        fell += [move] if move in state.judged and (not fell or _is_stale(state, move)) else []
        for key in fell:
            # A judgement older than such records is known from now on.
            state.judged[key] = {"of": None, "by": by} | state.judged.get(key, {}) | {"digest": ""}
    for key, one in said.get("judged", {}).items():
        by = _giver(event, key)
        state.judged[key] = {"of": one["of"], "digest": one["digest"], "by": by}
    state.problems += [
        f"event {event.seq}: {key} stands, and judged something else"
        for key in state.judged
        if _is_stale(state, key)
    ]


_GIVEN = {"digest": "of a judgement that was given before that was recorded"}


def _is_stale(state: ReplayedState, key: str) -> bool:
    one = state.judged.get(key, {})
    return bool(one.get("digest")) and combined_digest(state.held, one["of"]) != one["digest"]


def _giver(event: Event, key: str) -> str:
    """Return who gave the judgement: for a move that was made or approved again, whoever decided on it."""
    name = key.removeprefix("move ")
    if name == key:
        return event.actor
    again = event.payload.get("renewed", {}).get(name)
    return str(again["by"] if again else event.payload.get("decided_by") or event.actor)


def _move(state: ReplayedState, event: Event, rule: Transition | None) -> None:
    if rule is None:
        state.problems.append(f"event {event.seq}: there is no {event.kind}")
        state.outside = True
        return
    wrong = []
    if not rule.starts_from(state.status, state.role):
        wrong.append(f"event {event.seq}: {rule.name} from {state.status} with {state.role}")
    if event.payload.get("from", state.status) != state.status:
        wrong.append(f"event {event.seq}: it was {event.payload['from']}, not {state.status}")
    if event.payload.get("to", rule.to) != rule.to:
        wrong.append(f"event {event.seq}: {rule.name} leads to {rule.to}, not {event.payload['to']}")
    state.problems += wrong
    state.outside = state.outside or bool(wrong)
    state.role = state.process.next_role(rule, role=state.role, fields=event.payload, task=str(event.stream))
    state.status, state.place = rule.to, None
    state.strikes += int(rule.strike)
    state.result = event.payload.get("result_digest") or state.result
    claims = rule.name == state.process.claim
    state.attempt += int(claims)
    state.holder = event.actor.partition(":")[2] if claims else None


def _differences(state: ReplayedState, task: Task) -> list[str]:
    now = {name: value_digest(value) for name, value in task.fields.items()}
    outcome = state.process.statuses.get(state.status)
    pairs: dict[str, tuple[object, object]] = {
        "status": (task.status, state.status),
        "role": (task.role, state.role),
        "version": (task.version, state.version),
        "attempt": (task.attempt, state.attempt),
        "strikes": (task.strikes, state.strikes),
        "holder": (task.lease_owner, state.holder),
        "outcome": (task.outcome, outcome and outcome.outcome),
        "claimable": (task.claimable, bool(outcome and outcome.claimable)),
    }
    for key in {*task.judgements, *state.judged}:
        current, replayed = task.judgements.get(key), state.judged.get(key)
        pairs[f"judgement {key}"] = (current and current["digest"], replayed and replayed["digest"])
        if current and replayed and replayed["of"] is not None:
            pairs[f"judgement {key}, of"] = (current["of"], replayed["of"])
            pairs[f"judgement {key}, by"] = (current["by"], replayed["by"])
    if rules_of(task.definition).records_fields:
        pairs |= {f"field {name}": (now.get(name), state.held.get(name)) for name in {*now, *state.held}}
    elif "result_digest" in task.definition.fields:
        pairs["result_digest"] = (task.result_digest, state.result)
    return _mismatches(pairs)


def _mismatches(pairs: Mapping[str, tuple[object, object]]) -> list[str]:
    return [
        f"{what} is {is_now!r}, its history says {said!r}"
        for what, (is_now, said) in sorted(pairs.items())
        if is_now != said
    ]

"""The audit trail replayed: from a task's events, by its table alone, to where it must be. What differs is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from frasier.kernel.errors import TransitionRefused
from frasier.store import Database, Event, EventPosition, Statements, Tx, events_of_each, events_since
from frasier.workflow import (
    BLOCKED,
    Process,
    Task,
    Transition,
    get_task,
    held_digest,
    is_own,
    processes,
    rules_of,
    task_of,
    value_digest,
)

_sql = Statements("frasier.board.agent_inbox")

SAMPLE = 500
"""How many tasks are replayed where not all are asked for."""
_BATCH = 100
_NAMED = 100
_TITLE_CHARS = 200  # as much of a title as an event has whole, whatever its length

# What is recorded of a task and changes nothing of it.
_BESIDE = ("task.evidence", "task.decision_")
_BESIDE_LIKE = ("task.evidence%", r"task.decision\_%")

CHANGED = "it cannot be replayed: its process was changed since, or is gone"
"""What is said of a task of a founder's own process whose moves the table does not have any more."""

# What reading a row or an event raises that somebody wrote past this program.
_UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, TransitionRefused)


@dataclass(slots=True, kw_only=True)
class Replayed:
    """Where the events lead. `held` has the digest of each field's value, `judged` of each judgement what it was given
    for, with the digest of that, which is empty once it is cleared, and by whom; `place` is that of a pause. `outside`
    is whether a move was made that the table does not have, or not so.
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
    """In what a task differs from what its own history says; empty where in nothing, CHANGED where nothing can tell."""
    while True:
        task = await get_task(tx, task_id)
        found = await _check_each(tx, [task])
        now = await get_task(tx, task_id)
        if (now.version, now.pending_deps) == (task.version, task.pending_deps):
            checked = found[task_id]
            return checked.problems or ([CHANGED] if checked.changed else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class Replays:
    """How many of the `tasks` were `replayed`, how many cannot be as their process was `changed` since, and the first
    of those that differ from their history, with in what.
    """

    tasks: int
    replayed: int
    changed: int
    differing: Mapping[str, Sequence[str]]


async def replay_tasks(database: Database, *, sample: int | None = None) -> Replays:
    """Replays the history of every task, or of so many that are drawn; a batch of them at a time. Where none is left
    out, a history whose task is gone differs, too.
    """
    drawn, differing = None, dict[str, list[str]]()
    async with database.transaction() as tx:
        tasks = int((await _sql.one(tx, "count_tasks"))["tasks"])
        if sample is not None and sample < tasks:
            drawn = [row["id"] for row in await _sql.all(tx, "draw_tasks", number=sample)]
        else:
            differing = await _gone(tx)
    replayed, changed, after = 0, 0, 0
    while True:
        async with database.transaction() as tx:
            rows = await _sql.all(tx, "tasks_to_replay", ids=drawn, after=after, limit=_BATCH)
            if not rows:
                return Replays(tasks=tasks, replayed=replayed, changed=changed, differing=differing)
            batch = [task_of(row) for row in rows]
            found = await _check_each(tx, batch)
            replayed += sum(one.replayed for one in found.values())
            changed += sum(one.changed for one in found.values())
            # One that is moved between the two statements is looked at again, by itself.
            wrong = [task for task in batch if found[task.id].problems]
            for task in wrong[: max(_NAMED - len(differing), 0)]:
                if problems := await check_trail(tx, task.id):
                    differing[_named(task)] = problems
        after = batch[-1].num


async def _gone(tx: Tx) -> dict[str, list[str]]:
    """The first tasks that have a history and are not there."""
    gone, place = dict[str, list[str]](), EventPosition()
    while len(gone) < _NAMED:
        made, place = await events_since(tx, place, kind="task.created", limit=1_000)
        if not made:
            break
        ids = [event.stream for event in made]
        there = {row["id"] for row in await _sql.all(tx, "tasks_there", ids=ids)}
        gone |= {
            f"{event.payload.get('slug', 'a task')} ({event.stream})": [
                "it is gone, and its history is there"
            ]
            for event in made
            if event.stream not in there
        }
    return gone


def _named(task: Task) -> str:
    project = task.fields.get("project") if isinstance(task.fields, dict) else None
    return f"{project or task.group_id}/{task.slug}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    problems: list[str] = field(default_factory=list)
    replayed: bool = True
    changed: bool = False


async def _check_each(tx: Tx, tasks: Sequence[Task]) -> dict[UUID, _Checked]:
    ids = [task.id for task in tasks]
    waits_for = {row["id"]: row["tasks"] for row in await _sql.all(tx, "count_awaited", ids=ids)}
    events = await events_of_each(tx, ids, without=_BESIDE_LIKE)
    return {task.id: _check(task, waits_for.get(task.id, 0), events[task.id]) for task in tasks}


def _check(task: Task, waits_for: int, events: Sequence[Event]) -> _Checked:
    if not events:
        return _Checked(problems=["it has no history"])
    said = events[0].payload
    if "version" not in said:
        return _Checked(replayed=False)  # made before events told enough to be replayed
    made = _unlike(
        {
            "process": (task.process, said.get("process", task.process)),
            "title": (task.title[:_TITLE_CHARS], str(said.get("title", task.title))[:_TITLE_CHARS]),
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
        return _Checked(problems=[*made, f"its events cannot be read: {_what(error)}"])
    if state.outside and is_own(task.process):
        return _Checked(problems=made, replayed=False, changed=not made)
    try:
        return _Checked(problems=[*made, *state.problems, *_differences(state, task)])
    except _UNREADABLE as error:
        return _Checked(problems=[*made, *state.problems, f"its row cannot be read: {_what(error)}"])


def _what(error: Exception) -> str:
    return f"{type(error).__name__}: {error!s:.200}"


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
            # One that was given before that was recorded is known from now on.
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


def _is_stale(state: Replayed, key: str) -> bool:
    one = state.judged.get(key, {})
    return bool(one.get("digest")) and held_digest(state.held, one["of"]) != one["digest"]


def _giver(event: Event, key: str) -> str:
    """Who gave the judgement: of a move that was made or given again, whoever decided of it."""
    name = key.removeprefix("move ")
    if name == key:
        return event.actor
    again = event.payload.get("renewed", {}).get(name)
    return str(again["by"] if again else event.payload.get("decided_by") or event.actor)


def _move(state: Replayed, event: Event, rule: Transition | None) -> None:
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


def _differences(state: Replayed, task: Task) -> list[str]:
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
        here, there = task.judgements.get(key), state.judged.get(key)
        pairs[f"judgement {key}"] = (here and here["digest"], there and there["digest"])
        if here and there and there["of"] is not None:
            pairs[f"judgement {key}, of"] = (here["of"], there["of"])
            pairs[f"judgement {key}, by"] = (here["by"], there["by"])
    if rules_of(task.definition).records_fields:
        pairs |= {f"field {name}": (now.get(name), state.held.get(name)) for name in {*now, *state.held}}
    elif "result_digest" in task.definition.fields:
        pairs["result_digest"] = (task.result_digest, state.result)
    return _unlike(pairs)


def _unlike(pairs: Mapping[str, tuple[object, object]]) -> list[str]:
    return [
        f"{what} is {is_now!r}, its history says {said!r}"
        for what, (is_now, said) in sorted(pairs.items())
        if is_now != said
    ]

"""Tasks and decisions as several operations answer with them: in a list, after a move, and whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self, TypeAlias
from uuid import UUID

from pydantic import Field

from frasier.board import Brief, Card, Crumb, Decision, Evidence, Notice, RequiredCommand, breadcrumb
from frasier.interfaces.operations import Output
from frasier.kernel.humanize import person
from frasier.kernel.text import shorten
from frasier.workflow import BLOCKED, Outcome, Task, changed_since, is_open, owed, renewers_of

_TITLE_CHARS = 120


class ClearedJudgement(Output):
    """An approval or review behind a task that was cleared: the fields that changed since, and those that say it again
    with the roles that may fill each.
    """

    move: str
    changed: tuple[str, ...] = ()
    say_again: dict[str, frozenset[str]] = Field(default_factory=dict)
    founder_may_decide: bool = False


class AskedMoveOutput(Output):
    """A move that the founder was asked about, with the answer. It was not made yet."""

    decision: UUID
    move: str
    asked_by: str
    asked_at: datetime
    answer: str | None = None
    comment: str = ""
    answered_at: datetime | None = None


class PauseReason(Output):
    """A reason why a task is paused, and who must do what."""

    reason: str
    owner: str
    action: str
    by: str = ""
    at: datetime | None = None


class TaskAttention(Output):
    """A part of an answer: the reasons why somebody should look at a task.

    A paused task `was` at a status with a role, and goes on there, held by `was_held_by` under the same attempt.
    """

    why: tuple[Notice, ...] = ()
    asked_founder: tuple[AskedMoveOutput, ...] = ()
    judgements_cleared: tuple[ClearedJudgement, ...] = ()
    blocked: tuple[PauseReason, ...] = ()
    was: str = ""
    was_role: str = ""
    was_held_by: str | None = None

    @classmethod
    def of_card(cls, card: Card, why: Iterable[Notice] = (), *sources: object, **others: Any) -> Self:
        """Tell why a card should be looked at; `sources` and `others` give the fields of a subclass, see of."""
        task = replace(card.task, status=card.was, role=card.was_role) if card.was else card.task
        return cls.of(
            *sources,
            card,
            why=tuple(why),
            asked_founder=tuple(AskedMoveOutput(**asked) for asked in card.asked),
            judgements_cleared=cleared_judgements(task),
            blocked=tuple(PauseReason(**reason) for reason in card.reasons),
            **others,
        )


class TaskSummary(TaskAttention):
    """A task in a list: enough to choose by. The lease is left for `lease_s`, and the task waits for `waits_s`."""

    task: str
    title: str = ""
    process: str
    status: str
    role: str
    column: str
    priority: int = 0
    attempt: int | None = None
    held_by: str | None = None
    lease_s: int | None = None
    waits_for: int = 0
    waits_for_tasks: tuple[str, ...] = ()
    waits_s: int

    @classmethod
    def of_task(cls, card: Card, why: Iterable[Notice] = (), **others: Any) -> Self:
        """Shorten a card to a line."""
        task = card.task
        return cls.of_card(
            card,
            why,
            task,
            task=f"{card.board}/{task.slug}",
            title=shorten(task.title, _TITLE_CHARS),
            attempt=task.attempt if card.was_held_by else None,
            held_by=task.lease_owner,
            lease_s=None if card.lease_s is None else round(card.lease_s),
            waits_for=task.pending_deps,
            waits_for_tasks=_waits_for(card),
            waits_s=round(card.waits_s),
            **others,
        )


class TaskPlace(Output):
    """The place of a task and its attempt: what whoever moves it has to know."""

    task: str
    status: str
    role: str
    version: int
    attempt: int | None = None
    held_by: str | None = None
    lease_until: datetime | None = None

    @classmethod
    def of_task(cls, task: Task, *sources: object, **others: Any) -> Self:
        """Tell where a task is; `sources` and `others` give the fields of a subclass, see of."""
        return cls.of(task, *sources, **_place(task) | others)


class Way(Output):
    """A move from where a task is: who may make it, and what it needs."""

    move: str
    to: str
    by: frozenset[str]
    say: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    gates: tuple[str, ...] = ()
    requires_commands: tuple[str, ...] = ()
    founder_may_decide: bool = False


class QuotedAnswer(Output):
    """The founder's words that whoever made a move quoted, in mode semi."""

    move: str
    at: datetime
    by: str
    answer: str


class TaskOutput(TaskPlace, TaskAttention):
    """A task whole: its fields, its way so far, the founder's words, and every move from where it is."""

    title: str
    process: str
    priority: int
    fields: dict[str, Any] = Field(default_factory=dict)
    founder_answers: tuple[QuotedAnswer, ...] = ()
    id: UUID
    waits_for: int = 0
    waits_for_tasks: tuple[str, ...] = ()
    strikes: int = 0
    outcome: Outcome | None = None
    created_at: datetime
    since: datetime
    ended_at: datetime | None = None
    ways: tuple[Way, ...] = ()
    breadcrumb: str = ""

    @classmethod
    def of_whole(
        cls,
        task: Task,
        required: Iterable[RequiredCommand],
        *,
        card: Card | None = None,
        why: Iterable[Notice] = (),
        **others: Any,
    ) -> Self:
        """Describe a task, with what its card tells if there is one."""
        commands = _commands_by_move(required)
        whole = _place(task) | {
            "fields": _as_declared(task),
            "waits_for": task.pending_deps,
            "ways": () if task.terminal and not _reopens(task) else _ways(task, commands),
            "breadcrumb": _crumbs(task, commands),
            **others,
        }
        if card is None:
            return cls.of(task, judgements_cleared=cleared_judgements(task), **whole)
        whole["waits_for_tasks"] = _waits_for(card)
        if card.was_held_by:
            whole["attempt"] = task.attempt
        return cls.of_card(card, why, task, **whole)


def cleared_judgements(task: Task) -> tuple[ClearedJudgement, ...]:
    """List the approvals and reviews behind the task that were cleared; none of a task that has ended, or is paused:
    that is given as it is at its place.
    """
    if task.terminal or task.status == BLOCKED:
        return ()
    transitions = task.definition.transitions
    return tuple(
        ClearedJudgement(
            move=name,
            changed=tuple(changed_since(task.judgements, transitions[name])),
            say_again={field: renewers_of(task, field) for field in fields},
            founder_may_decide=transitions[name].decision,
        )
        for name, fields in owed(task).items()
    )


def _waits_for(card: Card) -> tuple[str, ...]:
    return tuple(f"{card.board}/{slug}" for slug in card.waits_for)


def _place(task: Task) -> dict[str, Any]:
    """The fields of a TaskPlace that a task has under another name."""
    return {
        "task": f"{task.fields.get('board')}/{task.slug}",
        "attempt": task.attempt if task.lease_owner else None,
        "held_by": task.lease_owner,
    }


_CommandsByMove: TypeAlias = Mapping[str, Sequence[str]]


def _commands_by_move(required: Iterable[RequiredCommand]) -> _CommandsByMove:
    commands: dict[str, list[str]] = {}
    for one in required:
        name = one.name if one.stored.enabled else f"{one.name} (switched off)"
        commands.setdefault(one.move, []).append(name)
    return commands


def _as_declared(task: Task) -> dict[str, Any]:
    """The fields of a task in the order of its process."""
    declared = [name for name in task.definition.fields if name in task.fields]
    return {name: task.fields[name] for name in (*declared, *sorted(task.fields.keys() - declared))}


def _reopens(task: Task) -> bool:
    return any(rule.reopens for rule in task.definition.transitions.values())


def _ways(task: Task, commands: _CommandsByMove) -> tuple[Way, ...]:
    process = task.definition
    ahead = next((crumb.by for crumb in _way_of(task) if crumb.by), "")
    return tuple(
        Way.of(
            rule,
            move=rule.name,
            by=process.who_may(rule, task.role),
            say=rule.requires,
            requires_commands=tuple(commands.get(rule.name, ())),
            founder_may_decide=rule.decision,
        )
        for rule in sorted(process.transitions.values(), key=lambda rule: rule.name != ahead)
        if rule.starts_from(task.status, task.role) and is_open(task, rule)
    )


def _crumbs(task: Task, commands: _CommandsByMove) -> str:
    """The way in one line, with the place in brackets, and commands that must end well before a move in braces."""
    return " → ".join(
        f"[{crumb.status}+{crumb.role}]"
        if crumb.here
        else "".join(f"{{{name}}} → " for name in commands.get(crumb.by, ())) + f"{crumb.status}+{crumb.role}"
        for crumb in _way_of(task)
    )


def _way_of(task: Task) -> Sequence[Crumb]:
    """Return the usual way of a task through its place; empty while it is paused."""
    if task.status not in task.definition.statuses:
        return ()
    return breadcrumb(
        task.definition,
        began=task.definition.creation.roles[0],
        status=task.status,
        role=task.role,
    )


class TestCounts(Output):
    """The tests of a task, as the engine counted them."""

    passed: int | None = None
    total: int | None = None


class EvidenceOutput(Output):
    """Something looked up or run for a task, and whether that was on the work as it is."""

    kind: str
    subject: str
    holds: bool
    of_this_work: bool
    passed: int | None = None
    total: int | None = None
    exit_code: int | None = None
    why: str = ""
    by: str
    at: datetime

    @classmethod
    def of_evidence(cls, evidence: Evidence, *, of_this_work: bool) -> Self:
        """Describe evidence, with what was found as far as it is shown."""
        found = evidence.found
        return cls.of(
            evidence,
            of_this_work=of_this_work,
            passed=found.get("passed"),
            total=found.get("total"),
            exit_code=found.get("exit_code"),
            why=found.get("why") or "",
            by=evidence.gathered_by,
            at=evidence.gathered_at,
        )


class ShownMove(Output):
    """The move as the founder is shown it: what is said with it, and the changed fields if it is asked again."""

    from_: str = Field(alias="from")
    role: str
    to: str
    said: dict[str, Any]
    again: tuple[str, ...] = ()


class DecisionOutput(Output):
    """A question to the founder, with everything that it is about and bound to."""

    decision: UUID
    board: str
    task: str
    title: str = ""
    move: str
    version: int
    work: dict[str, Any] = Field(default_factory=dict)
    criteria: tuple[Any, ...] | str = ()
    tests: TestCounts = Field(default_factory=TestCounts)
    evidence: tuple[EvidenceOutput, ...] = ()
    others: dict[str, Any] = Field(default_factory=dict)
    questions: dict[str, str] = Field(default_factory=dict)
    shown: ShownMove
    asked_by: str
    asked_at: datetime
    answer: str | None = None
    comment: str = ""
    answered_by: str | None = None
    answered_at: datetime | None = None
    used_at: datetime | None = None

    @classmethod
    def of_brief(cls, brief: Brief) -> Self:
        """Describe a decision with its brief."""
        decision = brief.decision
        return cls.of(
            decision,
            brief,
            decision=decision.id,
            task=decision.place,
            move=decision.transition,
            tests=TestCounts.of(brief),
            evidence=tuple(
                EvidenceOutput.of_evidence(one, of_this_work=brief.is_of_this_work(one))
                for one in brief.evidence
            ),
            shown=ShownMove(**decision.shown),
        )


def next_step(decision: Decision) -> str:
    """Tell what is left to do about an approved move."""
    if "again" in decision.shown:
        return f"{person(decision.asked_by)} makes the move that was refused again: it goes on now."
    return f"{person(decision.asked_by)} makes the move now, without fields: those that were shown go with it, once."

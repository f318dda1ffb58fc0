"""Judgements of a process of one's own: what clears them, what is owed then, and who says it again with what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from frasier.kernel.errors import TransitionRefused
from frasier.kernel.ids import new_id
from frasier.workflow import BLOCKED, FOUNDER, Actor, ActorKind, Task, processes
from frasier.workflow.processes.process_loader import read_process
from frasier.workflow.tasks.fields import SaidWithMove, move_fields, written_fields
from frasier.workflow.tasks.judgements import (
    JudgementUpdate,
    add_move_judgement,
    fields_to_renew,
    judging_fields,
    lapsed_judgements,
    newly_owed,
    owed,
    renewers_of,
    update_judgements,
)

TABLE = """
name = "essay"
initial = "open"
claim = "start"
blockers = ["writer"]
restorers = ["writer"]
creation = {actors = ["founder"], roles = ["writer"]}

statuses = [
    {name = "open", roles = ["writer"], meaning = "to be written", claimable = true},
    {name = "active", roles = ["writer"], meaning = "is being written"},
    {name = "read", roles = ["reader"], meaning = "is being read"},
    {name = "set", roles = ["printer"], meaning = "is being set"},
    {name = "done", roles = ["printer"], meaning = "is printed", outcome = "completed"},
    {name = "dropped", roles = ["printer"], meaning = "is not wanted", outcome = "cancelled"},
]
transitions = [
    {name = "start", from = ["open"], to = "active", actors = ["owner"]},
    {name = "release", from = ["active"], to = "open", actors = ["owner", "system"]},
    {name = "submit", from = ["active"], to = "read", actors = ["owner"], needs = ["text"]},
    {name = "pass", from = ["read"], to = "set", actors = ["owner"], requires = ["verdict"], needs = ["thoughts"], judges = ["text"]},
    {name = "remark", from = ["set"], to = "set", actors = ["reader", "printer"], requires = ["remark"]},
    {name = "print", from = ["set"], to = "done", actors = ["owner"]},
    {name = "cancel", from = ["open", "active", "read", "set", "blocked"], to = "dropped", actors = ["founder", "system"]},
]
fields = [
    {name = "text", meaning = "the essay", writers = ["writer", "founder"]},
    {name = "verdict", meaning = "whether it is good", writers = ["reader"], with_move = true, judgement = true},
    {name = "thoughts", meaning = "what one thinks of it", writers = ["owner"], judgement = true},
    {name = "remark", meaning = "what else there is", writers = ["owner", "reader"]},
]
"""
WRITER, READER, PRINTER = (
    Actor(ActorKind.MEMBER, one, frozenset({one})) for one in ("writer", "reader", "printer")
)
AGAIN = {"verdict": "Better.", "thoughts": "It has an end now."}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _essay(monkeypatch: pytest.MonkeyPatch) -> None:
    process = read_process(TABLE)
    monkeypatch.setitem(processes(), "essay", process)  # type: ignore[arg-type]


def essay(status: str, role: str, **fields: Any) -> Task:
    unset = dict.fromkeys(Task.__dataclass_fields__)
    known = {
        "id": new_id(),
        "process": "essay",
        "slug": "tea",
        "status": status,
        "role": role,
        "attempt": 1,
        "fields": fields,
        "judgements": {},
    }
    return Task(**{**unset, **known})  # type: ignore[arg-type]


def said(task: Task, actor: Actor, **fields: Any) -> Task:
    """The task as an edit leaves it."""
    update = update_judgements(task, task.fields | fields, fields.keys(), actor)
    return replace(task, fields=dict(update.fields), judgements=dict(update.judgements))


def passed() -> Task:
    """An essay that its reader let pass."""
    task = said(essay("read", "reader", text="Of tea."), READER, verdict="Good.", thoughts="Of tea, it is.")
    rule = task.definition.transitions["pass"]
    update = add_move_judgement(task.definition, rule, as_it_is(task), by=str(READER), renewed={})
    return replace(task, status="set", role="printer", judgements=dict(update.judgements))


def as_it_is(task: Task) -> JudgementUpdate:
    return JudgementUpdate(fields=task.fields, judgements=task.judgements, cleared={})


def rule_of(task: Task, name: str) -> Any:
    return task.definition.transitions[name]


def test_what_a_move_requires_is_as_much_a_judgement_as_what_it_needs() -> None:
    task = passed()
    assert judging_fields(task.definition, rule_of(task, "pass")) == ["verdict", "thoughts"]
    assert (owed(task), lapsed_judgements(task, rule_of(task, "print"), as_it_is(task))) == ({}, [])
    edited = said(task, FOUNDER, text="Of coffee.")
    assert edited.fields == {"text": "Of coffee."}
    assert owed(edited) == {"pass": ["thoughts", "verdict"]}
    assert lapsed_judgements(edited, rule_of(task, "print"), as_it_is(edited)) == [rule_of(task, "pass")]
    half = said(edited, READER, verdict="Better.")
    assert fields_to_renew(task.definition, rule_of(task, "pass"), as_it_is(half)) == ["thoughts"]
    assert owed(said(half, READER, thoughts="It has an end now.")) == {"pass": []}


def test_a_cleared_judgement_is_said_again_by_whose_it_was() -> None:
    task = passed()
    edited = said(task, FOUNDER, text="Of coffee.")
    for name in ("verdict", "thoughts"):
        assert renewers_of(task, name) == frozenset(), "it stands"
        assert renewers_of(edited, name) == {"reader"}, "whose turn it was, not whose it is"
    assert renewers_of(edited, "text") == renewers_of(edited, "remark") == frozenset()
    sent_back = replace(edited, status="read", role="reader")
    assert renewers_of(sent_back, "thoughts") == frozenset(), "it is said with the move that lies ahead"


def test_what_a_change_clears_is_newly_owed_once() -> None:
    task = passed()
    edited = said(task, FOUNDER, text="Of coffee.")
    assert newly_owed(task, edited) == ["pass"]
    assert newly_owed(task, task) == []
    assert newly_owed(edited, said(edited, FOUNDER, text="Of milk.")) == [], "it was owed before"
    assert newly_owed(edited, said(edited, READER, **AGAIN)) == []
    assert newly_owed(task, replace(edited, status=BLOCKED, role="writer")) == ["pass"], "also in a pause"
    before = replace(task, status="read", role="reader")
    assert newly_owed(before, said(before, FOUNDER, text="Of coffee.")) == [], "it lies ahead"


@pytest.mark.parametrize("move", ["remark", None])
def test_a_cleared_judgement_is_given_again_with_any_move_or_none(move: str | None) -> None:
    task = said(passed(), FOUNDER, text="Of coffee.")
    rule = rule_of(task, move) if move else None
    given = AGAIN | ({"remark": "Mind the comma."} if move else {})
    assert written_fields(task, given, READER, rule) == given
    for name, text in AGAIN.items():
        with pytest.raises(TransitionRefused, match=f"printer may not fill {name}") as refused:
            written_fields(task, {name: text}, PRINTER, rule)
        assert "reader" in refused.value.hint
    with pytest.raises(SaidWithMove):
        written_fields(passed(), {"verdict": "Better."}, READER, rule)


def test_with_a_move_goes_what_it_takes_and_else_what_could_be_edited() -> None:
    task = passed()
    remark = rule_of(task, "remark")
    assert move_fields(task, {"remark": "Mind the comma."}, READER, remark)
    with pytest.raises(TransitionRefused, match="reader cannot change remark"):
        written_fields(task, {"remark": "Mind the comma."}, READER, rule_of(task, "print"))
    with pytest.raises(TransitionRefused, match="writer cannot change text"):
        written_fields(task, {"text": "Of coffee."}, WRITER, remark)
    assert written_fields(task, {"text": "Of coffee."}, FOUNDER, remark)


def test_who_makes_a_move_says_what_it_takes_also_where_others_owe_it() -> None:
    task = said(passed(), FOUNDER, text="Of coffee.")
    taking = replace(rule_of(task, "print"), needs=frozenset({"thoughts"}))
    given = {"thoughts": "Fit to print."}
    assert written_fields(task, given, PRINTER, taking) == given
    assert written_fields(task, given, READER, taking) == given

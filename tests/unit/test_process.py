"""Process tables: the declared ones are sound, holes are found, and nothing undeclared is permitted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import ConfigurationError, TransitionRefused
from frasier.workflow import BLOCKED, Actor, ActorKind, Process, processes
from frasier.workflow.declared import find_holes, read_process
from frasier.workflow.process import Status, Transition

PROCESSES = st.sampled_from(list(processes().values()))
FIELDS = ("reason", "feedback", "deliverable_id", "result_digest", "result_size")
EMPTY = [None, "", "  \n", 0, [], {}]


def test_the_declared_processes_are_read_and_named() -> None:
    assert sorted(processes()) == ["mission_step", "planning", "review", "talk"]
    assert all(process.name == name for name, process in processes().items())


@given(PROCESSES)
def test_the_declared_tables_are_sound(process: Process) -> None:
    assert find_holes(process) == []


@given(PROCESSES)
def test_every_status_that_is_not_an_end_has_a_way_out_and_leads_to_one(process: Process) -> None:
    ends = {status.name for status in process.statuses.values() if status.terminal}
    for name in {*process.statuses, BLOCKED} - ends:
        reached, ahead = {name}, [name]
        while ahead:
            here = ahead.pop()
            for move in process.transitions.values():
                if here in move.from_ and move.to not in reached:
                    reached.add(move.to)
                    ahead.append(move.to)
        assert len(reached) > 1, f"{name} has no way out"
        assert reached & ends, f"{name} leads to no end"


class TestPermit:
    @given(
        process=PROCESSES,
        transition=st.sampled_from(
            sorted({name for process in processes().values() for name in process.transitions} | {"launch"})
        ),
        status=st.sampled_from(
            ["pending", "active", "in_review", "completed", "failed", "cancelled", BLOCKED]
        ),
        actor=st.sampled_from(list(ActorKind)),
        fields=st.dictionaries(st.sampled_from(FIELDS), st.sampled_from([*EMPTY, "text", 7, ["a"]])),
    )
    def test_it_permits_what_is_declared_and_nothing_else(
        self, process: Process, transition: str, status: str, actor: ActorKind, fields: dict[str, Any]
    ) -> None:
        def permit() -> Transition:
            return process.permit(
                transition, status=status, actor=Actor(actor, "x"), fields=fields, task="the-task"
            )

        rule = process.transitions.get(transition)
        problem = "unknown" if rule is None else ""
        if rule is not None:
            lacking = sorted(name for name in rule.requires if fields.get(name) in EMPTY)
            if status not in rule.from_:
                problem = "status"
            elif actor not in rule.actors:
                problem = "actor"
            elif lacking:
                problem = "fields"
        if not problem:
            assert permit() is rule
            return
        with pytest.raises(TransitionRefused) as caught:
            permit()
        refusal = caught.value
        assert refusal.kept == "the-task is unchanged."
        assert refusal.hint
        match problem:
            case "unknown":
                assert transition in refusal.message
            case "status":
                assert f"the-task is {status}" in refusal.message
                assert all(name in refusal.message for name in rule.from_)
            case "actor":
                assert f"{actor}:x may not {transition}" in refusal.message
                assert all(kind in refusal.hint for kind in rule.actors)
            case "fields":
                assert refusal.message.endswith(f"lacks {', '.join(lacking)}.")

    def test_a_refusal_tells_what_can_be_done_from_here(self) -> None:
        with pytest.raises(TransitionRefused) as caught:
            processes()["talk"].permit(
                "finish", status="pending", actor=Actor(ActorKind.WORKER, "w"), fields={}, task="t"
            )
        assert caught.value.hint == "From pending there is: cancel, fail, start."
        with pytest.raises(TransitionRefused) as caught:
            processes()["talk"].permit(
                "finish", status="completed", actor=Actor(ActorKind.WORKER, "w"), fields={}, task="t"
            )
        assert caught.value.hint == "From completed there is: nothing."

    def test_an_actor_is_written_as_kind_and_name(self) -> None:
        assert str(Actor(ActorKind.WORKER, "w1")) == "worker:w1"


def changed(process: Process, name: str, **changes: Any) -> Process:
    """The process with one transition changed."""
    move = dataclasses.replace(process.transitions[name], **changes)
    return dataclasses.replace(process, transitions={**process.transitions, name: move})


def without(process: Process, name: str) -> Process:
    return dataclasses.replace(
        process, transitions={other: move for other, move in process.transitions.items() if other != name}
    )


def with_status(process: Process, name: str, **changes: Any) -> Process:
    known = process.statuses.get(name) or Status(name=name, role="nobody", meaning="planted")
    return dataclasses.replace(
        process, statuses={**process.statuses, name: dataclasses.replace(known, **changes)}
    )


def with_move(process: Process, **how: Any) -> Process:
    move = Transition(**{"name": "planted", "actors": frozenset({ActorKind.FOUNDER}), **how})
    return dataclasses.replace(process, transitions={**process.transitions, move.name: move})


FROM = frozenset
HOLES: dict[str, tuple[Callable[[Process], Process], str]] = {
    "no claim": (lambda p: without(p, "start"), "the claim start is unknown"),
    "no release": (lambda p: without(p, "release"), "there is no release"),
    "no fail": (lambda p: without(p, "fail"), "there is no fail"),
    "no cancel": (lambda p: without(p, "cancel"), "there is no cancel"),
    "no retry": (lambda p: without(p, "retry"), "there is no retry"),
    "unknown initial": (
        lambda p: dataclasses.replace(p, initial="nowhere"),
        "initial status nowhere is unknown",
    ),
    "unknown source": (
        lambda p: changed(p, "fail", from_=p.transitions["fail"].from_ | {"limbo"}),
        "fail starts from the unknown status limbo",
    ),
    "unknown target": (
        lambda p: changed(p, "cancel", to="limbo"),
        "cancel leads to the unknown status limbo",
    ),
    "leads into the pause": (
        lambda p: changed(p, "release", to=BLOCKED),
        "leads to the unknown status blocked",
    ),
    "nobody may": (lambda p: changed(p, "cancel", actors=FROM()), "nobody may cancel"),
    "unreachable": (lambda p: with_status(p, "attic"), "attic cannot be reached"),
    "dead end": (
        lambda p: with_move(with_status(p, "trap"), from_=FROM({"pending"}), to="trap"),
        "trap has no way to an end",
    ),
    "a circle without an end": (
        lambda p: with_move(
            with_move(with_status(p, "spin"), name="enter", from_=FROM({"pending"}), to="spin"),
            name="again",
            from_=FROM({"spin"}),
            to="spin",
        ),
        "spin has no way to an end",
    ),
    "blocked cannot be ended": (
        lambda p: changed(p, "fail", from_=p.transitions["fail"].from_ - {BLOCKED}),
        "fail does not start from blocked",
    ),
    "running cannot be cancelled": (
        lambda p: changed(p, "cancel", from_=p.transitions["cancel"].from_ - {"active"}),
        "cancel does not start from active",
    ),
    "recovery is shut out": (
        lambda p: changed(p, "release", actors=FROM({ActorKind.WORKER})),
        "release is closed to system",
    ),
    "cascade is shut out": (
        lambda p: changed(p, "fail", actors=FROM({ActorKind.FOUNDER})),
        "fail is closed to system",
    ),
    "the founder cannot retry": (
        lambda p: changed(p, "retry", actors=FROM({ActorKind.SYSTEM})),
        "retry is closed to founder",
    ),
    "a failure without reason": (
        lambda p: changed(p, "fail", requires=FROM()),
        "fail fails without a reason",
    ),
    "a lease without a claim": (
        lambda p: with_move(p, from_=FROM({"pending"}), to="active"),
        "planted: the claim, and nothing else, leads to active",
    ),
    "a claim without a lease": (
        lambda p: changed(p, "start", to="completed"),
        "start: the claim, and nothing else, leads to active",
    ),
    "the claim starts elsewhere": (
        lambda p: changed(p, "start", from_=FROM({"failed"})),
        "pending must be claimable if, and only if, start starts from it",
    ),
    "released to where nobody takes it": (
        lambda p: changed(p, "release", to="cancelled"),
        "release leads to cancelled, not to pending",
    ),
    "an end that goes on": (
        lambda p: with_move(p, from_=FROM({"completed"}), to="pending"),
        "planted moves what is over; only retry may",
    ),
    "an end of its own name": (
        lambda p: with_move(
            with_status(p, "abandoned", terminal=True), from_=FROM({"pending"}), to="abandoned"
        ),
        "abandoned must be terminal if, and only if",
    ),
    "an end that is none": (
        lambda p: with_status(p, "failed", terminal=False),
        "failed must be terminal if, and only if",
    ),
    "a claimable end": (
        lambda p: changed(
            with_status(p, "cancelled", claimable=True), "start", from_=FROM({"pending", "cancelled"})
        ),
        "cancelled cannot be claimable",
    ),
    "the pause as a status": (
        lambda p: with_move(with_status(p, BLOCKED), from_=FROM({"pending"}), to=BLOCKED),
        "blocked is the engine's own status",
    ),
}


@pytest.mark.parametrize("name", sorted(processes()))
@pytest.mark.parametrize("hole", sorted(HOLES))
def test_a_planted_hole_is_found(name: str, hole: str) -> None:
    plant, says = HOLES[hole]
    holes = find_holes(plant(processes()[name]))
    assert any(says in found for found in holes), holes


@given(process=PROCESSES, data=st.data())
def test_any_transition_of_the_engine_that_is_taken_away_or_narrowed_is_missed(
    process: Process, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["start", "release", "fail", "cancel", "retry"]))
    move = process.transitions[name]
    needed = {"start": {"pending"}, "release": {"active"}, "retry": {"failed", "cancelled"}}.get(
        name, move.from_
    )
    lost = data.draw(st.sampled_from(sorted(needed)))
    assert find_holes(changed(process, name, from_=move.from_ - {lost}))


TABLE = """
name = "{name}"
initial = "pending"
claim = "start"
statuses = [{{name = "pending", role = "worker", meaning = "m", claimable = true}}, {extra_status}]
transitions = [{{name = "start", from = ["pending"], to = "active", actors = ["{actor}"]}}]
"""


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("name = ", "cannot be read"),
        ("name = 'x'", "cannot be read: KeyError"),
        (TABLE.format(name="x", actor="ghost", extra_status=""), "'ghost' is not a valid ActorKind"),
        (
            TABLE.format(name="x", actor="worker", extra_status="{name='pending', role='r', meaning='m'}"),
            "a name stands twice",
        ),
        (
            TABLE.format(
                name="x", actor="worker", extra_status="{name='a', role='r', meaning='m', colour='red'}"
            ),
            "colour",
        ),
        (TABLE.format(name="x", actor="worker", extra_status=""), "Process x is not sound"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_is_wrong(source: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        read_process(source)

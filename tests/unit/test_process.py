"""Process tables: the declared ones are sound, holes are found, and nothing undeclared is permitted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import ConfigurationError, TransitionRefused
from frasier.workflow import BLOCKED, Actor, ActorKind, Outcome, Process, Transition, processes
from frasier.workflow.processes.process import TaskStatus
from frasier.workflow.processes.process_loader import read_process
from frasier.workflow.processes.process_validation import find_faults, positions_after, reachable

PROCESSES = st.sampled_from(list(processes().values()))
OURS = [
    *(
        "evaluation",
        "hire",
        "improvement",
        "mission_step",
        "planning",
        "replan",
        "review",
        "routine",
        "stand_up",
        "talk",
        "trial_pair",
        "upskill",
    )
]
"""What our own workers carry out; their tables have the same skeleton."""
NAMES = sorted({name for process in processes().values() for name in process.transitions} | {"launch"})
STATUSES = sorted({name for process in processes().values() for name in process.statuses} | {BLOCKED})
ROLES = sorted({role for process in processes().values() for role in process.roles} | {"stranger"})
FIELDS = sorted({name for process in processes().values() for name in process.fields})
EMPTY = [None, "", "  \n", 0, [], {}]

actors = st.builds(
    lambda kind, roles: Actor(kind, "x", roles if kind is ActorKind.MEMBER else frozenset()),
    st.sampled_from(list(ActorKind)),
    st.frozensets(st.sampled_from(ROLES), max_size=3),
)
filled = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from([*EMPTY, "text", 7, ["a"]]))


def test_the_declared_processes_are_read_and_named() -> None:
    assert sorted(processes()) == sorted([*OURS, "pdsa_bug", "pdsa_task"])
    assert all(process.name == name for name, process in processes().items())


@given(PROCESSES)
def test_the_declared_tables_are_sound(process: Process) -> None:
    assert find_faults(process) == []


@given(PROCESSES)
def test_every_position_that_is_not_an_end_has_a_way_out_and_leads_to_one(process: Process) -> None:
    ends = {status.name for status in process.statuses.values() if status.terminal}
    for start in reachable(process):
        if start[0] in ends:
            continue
        reached, ahead = {start}, [start]
        while ahead:
            here = ahead.pop()
            for move in process.transitions.values():
                new = positions_after(process, move, here) - reached
                reached |= new
                ahead += new
        assert len(reached) > 1, f"{start} has no way out"
        assert {status for status, _ in reached} & ends, f"{start} leads to no end"


def naive_problem(
    process: Process,
    name: str,
    status: str,
    role: str,
    actor: Actor,
    said: dict[str, Any],
    held: dict[str, Any],
) -> str:
    """Why the table does not allow a move, in the order in which it is looked at; empty where it does."""
    rule = process.transitions.get(name)
    if rule is None:
        return "unknown"
    if status not in rule.from_:
        return "status"
    if rule.of and role not in rule.of:
        return "role"
    if actor.kind is ActorKind.MEMBER:
        meant = any(one in rule.actors for one in actor.roles) or (
            "owner" in rule.actors and role in actor.roles
        )
    else:
        meant = actor.kind.value in rule.actors
    if not meant:
        return "actor"
    unsaid = any(said.get(field) in EMPTY for field in rule.requires)
    unheld = any(said.get(field, held.get(field)) in EMPTY for field in rule.needs)
    return "fields" if unsaid or unheld else ""


class TestPermit:
    @settings(max_examples=1_500)
    @given(
        process=PROCESSES,
        name=st.sampled_from(NAMES),
        status=st.sampled_from(STATUSES),
        role=st.sampled_from(ROLES),
        actor=actors,
        said=filled,
        held=filled,
    )
    def test_it_permits_what_is_declared_and_nothing_else(
        self,
        process: Process,
        name: str,
        status: str,
        role: str,
        actor: Actor,
        said: dict[str, Any],
        held: dict[str, Any],
    ) -> None:
        def permit() -> Transition:
            return process.permit(
                name, status=status, role=role, actor=actor, fields=said, task="the-task", held=held
            )

        problem = naive_problem(process, name, status, role, actor, said, held)
        if not problem:
            assert permit() is process.transitions[name]
            return
        with pytest.raises(TransitionRefused) as caught:
            permit()
        refusal = caught.value
        rule = process.transitions.get(name)
        assert refusal.kept == "the-task is unchanged."
        assert refusal.hint or refusal.advice or refusal.facts
        match problem:
            case "unknown":
                assert name in refusal.message
            case "status":
                assert f"the-task is {status}" in refusal.message
                assert all(origin in refusal.message for origin in rule.from_)
            case "role":
                assert f"the-task is {status} with {role}" in refusal.message
                assert all(owner in refusal.message for owner in rule.of)
            case "actor":
                told = "claim" if name == process.claim else name
                assert f"{actor.person} may not {told}" in refusal.message
                assert all(who in refusal.hint for who in rule.actors - {"owner"})
                assert role in refusal.hint or "owner" not in rule.actors
            case "fields":
                assert "lacks" in refusal.message

    def test_what_is_said_with_a_move_counts_for_what_the_task_must_hold_but_not_the_other_way_round(
        self,
    ) -> None:
        task = processes()["pdsa_task"]
        pdsa = Actor(ActorKind.MEMBER, "anna", frozenset({"pdsa"}))
        held = {"memory_contribution_id": "m", "pdsa_ref": "https://example.org/v0.0.1"}
        submit = {"status": "active", "role": "pdsa", "actor": pdsa, "task": "t"}
        assert task.permit("submit_design", **submit, fields=held)
        assert task.permit("submit_design", **submit, fields={}, held=held)
        with pytest.raises(TransitionRefused, match="lacks rework_reason"):
            task.permit(
                "send_back",
                status="review",
                role="pdsa",
                actor=pdsa,
                task="t",
                fields={},
                held={"rework_reason": "that of the last time"},
            )

    def test_a_refusal_tells_what_can_be_done_from_here(self) -> None:
        worker = Actor(ActorKind.WORKER, "w")
        with pytest.raises(TransitionRefused) as caught:
            processes()["talk"].permit(
                "finish", status="pending", role="worker", actor=worker, fields={}, task="t"
            )
        assert caught.value.hint == "Moves from pending: cancel, claim, fail."
        with pytest.raises(TransitionRefused) as caught:
            processes()["talk"].permit(
                "finish", status="completed", role="nobody", actor=worker, fields={}, task="t"
            )
        assert caught.value.hint == "Moves from completed: none."

    def test_an_actor_is_written_as_kind_and_name(self) -> None:
        assert str(Actor(ActorKind.WORKER, "w1")) == "worker:w1"
        assert str(Actor(ActorKind.MEMBER, "anna", frozenset({"pdsa"}))) == "member:anna"


class TestNextRole:
    def test_it_is_named_by_the_table_the_status_or_the_move_or_stays(self) -> None:
        task = processes()["pdsa_task"]

        def after(name: str, role: str, **fields: str) -> str:
            return task.next_role(task.transitions[name], role=role, fields=fields, task="t")

        assert after("submit_work", "dev") == "qa"
        assert after("submit_design", "pdsa") == "liaison"
        assert after("start", "dev") == "dev"
        assert after("send_back_to", "liaison", rework_target_role="qa") == "qa"
        with pytest.raises(TransitionRefused, match="rework_target_role"):
            after("send_back_to", "liaison", rework_target_role="founder")

    @given(PROCESSES)
    def test_it_is_one_that_can_act_there(self, process: Process) -> None:
        for status, role in reachable(process):
            for move in process.transitions.values():
                if move.starts_from(status, role):
                    fields = {move.role_field: process.status(move.to).roles[-1]}
                    found = process.next_role(move, role=role, fields=fields, task="t")
                    assert found in process.status(move.to).roles


def changed(process: Process, name: str, **changes: Any) -> Process:
    """The process with one transition changed."""
    move = dataclasses.replace(process.transitions[name], **changes)
    return dataclasses.replace(process, transitions={**process.transitions, name: move})


def without(process: Process, name: str) -> Process:
    return dataclasses.replace(
        process, transitions={other: move for other, move in process.transitions.items() if other != name}
    )


def with_status(process: Process, name: str, **changes: Any) -> Process:
    known = process.statuses.get(name) or TaskStatus(name=name, roles=("nobody",), meaning="planted")
    return dataclasses.replace(
        process, statuses={**process.statuses, name: dataclasses.replace(known, **changes)}
    )


def with_move(process: Process, **how: Any) -> Process:
    move = Transition(**{"name": "planted", "actors": frozenset({ActorKind.FOUNDER}), **how})
    return dataclasses.replace(process, transitions={**process.transitions, move.name: move})


FROM = frozenset
HOLES: dict[str, tuple[Callable[[Process], Process], str]] = {
    "no claim": (lambda p: without(p, "start"), "the claim start is unknown"),
    "no release": (lambda p: without(p, "release"), "the move release is missing"),
    "no fail": (lambda p: without(p, "fail"), "the move fail is missing"),
    "no cancel": (lambda p: without(p, "cancel"), "the move cancel is missing"),
    "no retry": (lambda p: without(p, "retry"), "the move retry is missing"),
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
    "unreachable": (lambda p: with_status(p, "attic"), "attic with nobody cannot be reached"),
    "dead end": (
        lambda p: with_move(with_status(p, "trap"), from_=FROM({"pending"}), to="trap"),
        "trap with nobody has no way to an end",
    ),
    "a circle without an end": (
        lambda p: with_move(
            with_move(with_status(p, "spin"), name="enter", from_=FROM({"pending"}), to="spin"),
            name="again",
            from_=FROM({"spin"}),
            to="spin",
        ),
        "spin with nobody has no way to an end",
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
        "fail fails a task, but does not require a reason",
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
        "planted starts from an ended task, but does not declare that it reopens it",
    ),
    "an end that is none": (
        lambda p: with_status(p, "failed", outcome=None),
        "retry declares that it reopens a task",
    ),
    "nothing means that it was done": (
        lambda p: with_status(p, "completed", outcome=Outcome.CANCELLED),
        "no status means completed",
    ),
    "nobody acts": (lambda p: with_status(p, "active", roles=()), "nobody acts at active"),
    "a role that cannot act there": (
        lambda p: changed(p, "release", role="nobody"),
        "release leads to pending with nobody, which cannot act there",
    ),
    "an unknown actor": (
        lambda p: changed(p, "cancel", actors=FROM({"founder", "system", "ghost"})),
        "cancel may be made by the unknown ghost",
    ),
    "an unknown role": (
        lambda p: changed(p, "release", of=FROM({"ghost"})),
        "release starts with the unknown role ghost",
    ),
    "an unknown move to revoke": (
        lambda p: changed(p, "release", revokes=FROM({"bless"})),
        "release revokes the unknown move bless",
    ),
    "a field that nobody fills": (
        lambda p: changed(p, "release", requires=FROM({"reason", "blessing"})),
        "release names the unknown field blessing",
    ),
    "a role that nobody says": (
        lambda p: changed(p, "release", role="{reason}", requires=FROM()),
        "release does not require reason, which says who acts next",
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


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("hole", sorted(HOLES))
def test_a_planted_hole_is_found(name: str, hole: str) -> None:
    plant, says = HOLES[hole]
    holes = find_faults(plant(processes()[name]))
    assert any(says in found for found in holes), holes


@pytest.mark.parametrize("name", ["pdsa_bug", "pdsa_task"])
def test_who_may_make_a_task_may_fill_what_it_must_begin_with(name: str) -> None:
    process = processes()[name]
    by_anybody = dataclasses.replace(process.creation, actors=process.creation.actors | {"system", "qa"})
    assert find_faults(dataclasses.replace(process, creation=by_anybody)) == [
        f"it may be created by {maker}, who may not fill {field}, which creation requires"
        for field in ("acceptance_criteria", "description")
        for maker in ("qa", "system")
    ]
    whose_turn = dataclasses.replace(process.fields["description"], writers=FROM({"owner"}))
    owned = dataclasses.replace(process, fields={**process.fields, "description": whose_turn})
    assert any("created by pdsa, who may not fill description" in hole for hole in find_faults(owned))


@pytest.mark.parametrize("name", ["pdsa_bug", "pdsa_task"])
def test_what_is_said_with_a_move_is_required_by_one(name: str) -> None:
    process = processes()[name]
    unsaid = dataclasses.replace(process.fields["findings"], with_move=True)
    holes = find_faults(dataclasses.replace(process, fields={**process.fields, "findings": unsaid}))
    assert holes == ["the field findings is set with a move, but no move requires it"]


@pytest.mark.parametrize("name", ["test_pass_count", "design_version", "acceptance_criteria", "abstract_ref"])
def test_own_words_are_a_text_that_somebody_writes(name: str) -> None:
    process = processes()["pdsa_task"]
    marked = dataclasses.replace(process.fields[name], own_words=True)
    holes = find_faults(dataclasses.replace(process, fields={**process.fields, name: marked}))
    assert holes == [
        f"the field {name} is in its writer's own words, but it is not a text, or nobody may fill it"
    ]


@given(process=st.sampled_from([processes()[name] for name in OURS]), data=st.data())
def test_any_transition_of_the_engine_that_is_taken_away_or_narrowed_is_missed(
    process: Process, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["start", "release", "fail", "cancel", "retry"]))
    move = process.transitions[name]
    needed = {"start": {"pending"}, "release": {"active"}, "retry": {"failed", "cancelled"}}.get(
        name, move.from_
    )
    lost = data.draw(st.sampled_from(sorted(needed)))
    assert find_faults(changed(process, name, from_=move.from_ - {lost}))


TABLE = """
name = "{name}"
initial = "pending"
claim = "start"
statuses = [{{name = "pending", role = "worker", meaning = "m", claimable = true}}, {extra_status}]
transitions = [{{name = "start", from = ["pending"], to = "active", actors = ["{actor}"]}}]
"""
PLAIN = TABLE.format(name="x", actor="worker", extra_status="")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("name = ", "Cannot read the process"),
        ("name = 'x'", "Cannot read the process: the table lacks initial, claim, statuses, transitions"),
        ("name = 5", "the table lacks"),
        (PLAIN.replace("initial", "begins"), "the table has 'begins', which is none of name, initial"),
        (PLAIN.replace('"pending"\n', "5\n"), "initial of the table must be a text"),
        (
            PLAIN.replace("= true", "= 'yes'"),
            r"claimable of \[\[statuses\]\] 'pending' must be true or false",
        ),
        (
            PLAIN.replace('["pending"]', '"pending"'),
            r"from of \[\[transitions\]\] 'start' must be a list of texts",
        ),
        (PLAIN.replace('name = "pending", ', ""), r"\[\[statuses\]\] 1 lacks name"),
        (
            TABLE.format(
                name="x", actor="worker", extra_status="{name='a', role='r', meaning='m', outcome='won'}"
            ),
            r"outcome of \[\[statuses\]\] 'a' must be one of completed, failed, cancelled",
        ),
        (TABLE.format(name="x", actor="ghost", extra_status=""), "start may be made by the unknown ghost"),
        (
            TABLE.format(name="x", actor="worker", extra_status="{name='pending', role='r', meaning='m'}"),
            "'pending' occurs twice",
        ),
        (
            TABLE.format(
                name="x", actor="worker", extra_status="{name='a', role='r', meaning='m', colour='red'}"
            ),
            r"\[\[statuses\]\] 'a' has 'colour', which is none of name, roles",
        ),
        (TABLE.format(name="x", actor="worker", extra_status=""), "Process x is not valid"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_is_wrong(source: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        read_process(source)

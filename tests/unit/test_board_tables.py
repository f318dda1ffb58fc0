"""The tables of team processes against a second, naive reading of them: what they do not declare is refused, and says
which rule, what is missing and who may.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.board import board_processes
from frasier.kernel.errors import InvalidInput, TransitionRefused
from frasier.workflow import BLOCKED, FOUNDER, Actor, ActorKind, Transition, processes
from frasier.workflow.processes.process_validation import positions_after, reachable
from frasier.workflow.tasks.fields import SaidWithMove, check_fields
from frasier.workflow.tasks.judgements import is_judgement
from support.team_tables import (
    TABLES,
    Table,
    actor_names,
    includes_actor,
    is_nothing,
    is_reachable,
    may_fill,
    missing_fields,
    move_label,
    next_role,
    roles_of,
    rows,
    starts,
    transitions_from,
)

NAMES = sorted({rule["name"] for table in TABLES.values() for rule in table["transitions"]} | {"launch"})
STATUSES = sorted(
    {row["name"] for table in TABLES.values() for row in table["statuses"]} | {BLOCKED, "limbo"}
)
ROLES = sorted({role for table in TABLES.values() for role in roles_of(table)})
TURNS = [*ROLES, "founder", "owner", "stranger"]
"""Whose turn it may be said to be; also those of whom no table knows."""
FIELDS = sorted({row["name"] for table in TABLES.values() for row in table["fields"]})
ACTORS = [
    *(Actor(kind, "x") for kind in ActorKind),
    *(Actor(ActorKind.MEMBER, "x", frozenset({role})) for role in TURNS),
    Actor(ActorKind.MEMBER, "x", frozenset({"dev", "qa"})),
    Actor(ActorKind.MEMBER, "x", frozenset(ROLES)),
    # Roles are a member's: whoever is something else gains nothing by them.
    Actor(ActorKind.WORKER, "x", frozenset(ROLES)),
]
VALUES = [None, "", " \n", False, 0, [], ["", " "], {}, True, 7, "text", "dev", ["a"], {"a": 1}]

tables = st.sampled_from(sorted(TABLES))
actors = st.builds(
    lambda kind, roles: Actor(kind, "x", roles),
    st.sampled_from(list(ActorKind)),
    st.frozensets(st.sampled_from(TURNS), max_size=3),
)
said_or_held = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES))


def test_the_processes_of_teams_are_these_two_and_say_what_their_tables_say() -> None:
    assert sorted(TABLES) == ["pdsa_bug", "pdsa_task"]
    assert board_processes().keys() == set(TABLES)
    for name, table in TABLES.items():
        process = processes()[name]
        assert (process.initial, process.claim) == (table["initial"], table["claim"])
        assert process.blockers == set(table["blockers"]) == {"pdsa", "dev", "qa", "liaison"}
        assert process.restorers == set(table["restorers"]) == {"liaison"}
        assert process.roles == roles_of(table)
        assert process.creation.actors == set(table["creation"]["actors"])
        assert list(process.creation.roles) == table["creation"]["roles"]
        assert process.creation.requires == set(table["creation"]["requires"])
        assert process.creation.parent is table["creation"].get("parent", False)
        for sort, known in (
            ("statuses", process.statuses),
            ("transitions", process.transitions),
            ("fields", process.fields),
        ):
            assert list(known) == list(rows(table, sort))


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_row_is_read_as_it_is_written(name: str) -> None:
    process, table = processes()[name], TABLES[name]
    for row in table["statuses"]:
        status = process.statuses[row["name"]]
        assert (list(status.roles), status.meaning) == (row["roles"], row["meaning"])
        assert (status.claimable, status.outcome) == (row.get("claimable", False), row.get("outcome"))
        assert status.column == row.get("column", "")
    for row in table["transitions"]:
        rule = process.transitions[row["name"]]
        assert (rule.from_, rule.to, rule.actors) == (set(row["from"]), row["to"], set(row["actors"]))
        assert (rule.of, rule.role) == (set(row.get("of", ())), row.get("role", ""))
        assert (rule.requires, rule.needs) == (set(row.get("requires", ())), set(row.get("needs", ())))
        assert (rule.clears, list(rule.gates)) == (set(row.get("clears", ())), row.get("gates", []))
        assert rule.revokes == set(row.get("revokes", ()))
        flags = ("decision", "strike", "reopens", "shortcut")
        assert [getattr(rule, flag) for flag in flags] == [row.get(flag, False) for flag in flags]
    for row in table["fields"]:
        field = process.fields[row["name"]]
        assert (field.kind, field.writers) == (row.get("kind", "text"), set(row.get("writers", ())))
        flags = ("with_move", "deliverable")
        assert [getattr(field, flag) for flag in flags] == [row.get(flag, False) for flag in flags]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_what_was_judged_can_be_sent_back_wherever_its_judgement_is_owed(name: str) -> None:
    process = processes()[name]
    for rule in process.transitions.values():
        if process.status(rule.to).terminal or not is_judgement(process, rule):
            continue
        row = rows(TABLES[name], "transitions")[rule.name]
        passed = {place for here in reachable(process) for place in positions_after(process, rule, here)}
        ahead = list(passed)
        while ahead:
            status, role = place = ahead.pop()
            ways = [one for one in process.transitions.values() if one.starts_from(*place)]
            if not process.status(status).terminal and not is_reachable(TABLES[name], row, *place):
                assert any(one.strike for one in ways), f"{rule.name} was cleared at {status} with {role}"
            on = [one for one in ways if not one.leads_back]
            new = {after for one in on for after in positions_after(process, one, place)} - passed
            passed |= new
            ahead += new


# --- permit ---


def compare_permit(
    name: str, move: str, status: str, turn: str, actor: Actor, said: Table, held: Table
) -> str:
    """Holds the product's answer to the naive one, word for word where somebody is told what to do."""
    process, table = processes()[name], TABLES[name]
    rule = rows(table, "transitions").get(move)
    roles, told = actor.roles, move_label(table, move)

    def ask() -> Any:
        return process.permit(
            move, status=status, role=turn, actor=actor, fields=said, task="the-task", held=held
        )

    back = ["restore"] if status == BLOCKED else []
    here = f"Moves from {status}: {', '.join([*transitions_from(table, status, turn), *back]) or 'none'}."
    if rule is None:
        message, hint, why = f"{name} has no move {move!r}.", here, "unknown"
    elif status not in rule["from"]:
        origins = " or ".join(sorted(rule["from"]))
        message, hint, why = f"the-task is {status}; {told} starts from {origins}.", here, "status"
    elif not starts(rule, status, turn):
        owners = " or ".join(sorted(rule["of"]))
        message, hint, why = f"the-task is {status} with {turn}; {told} starts with {owners}.", here, "turn"
    elif not includes_actor(rule["actors"], actor.kind.value, roles, turn):
        able = ", ".join(sorted(actor_names(rule["actors"], turn)))
        message, hint = f"{actor.person} may not {told} the-task.", f"It can be done by: {able}."
        why = "actor"
    elif missing := missing_fields(rule, said, held):
        message = f"{told} of the-task lacks {', '.join(sorted(missing))}."
        hint, why = "", "fields"
    else:
        assert ask() is process.transitions[move]
        return "permitted"
    with pytest.raises(TransitionRefused) as caught:
        ask()
    refusal = caught.value
    assert (refusal.message, refusal.kept, refusal.hint) == (message, "the-task is unchanged.", hint)
    return why


@pytest.mark.parametrize("name", sorted(TABLES))
def test_of_all_moves_from_everywhere_by_anybody_those_declared_are_permitted(name: str) -> None:
    everything = dict.fromkeys(FIELDS, "text")
    answers: dict[str, int] = {}
    for move, status, turn, actor in product(NAMES, STATUSES, TURNS, ACTORS):
        why = compare_permit(name, move, status, turn, actor, {}, {})
        answers[why] = answers.get(why, 0) + 1
        if why == "fields":
            compare_permit(name, move, status, turn, actor, {}, everything)
            assert compare_permit(name, move, status, turn, actor, everything, {}) == "permitted"
    assert set(answers) == {"unknown", "status", "actor", "fields", "permitted", "turn"}


@settings(max_examples=200)
@given(name=tables, actor=actors, said=said_or_held, held=said_or_held, data=st.data())
def test_a_move_is_permitted_with_what_it_must_say_and_hold_and_not_with_less(
    name: str, actor: Actor, said: dict[str, Any], held: dict[str, Any], data: st.DataObject
) -> None:
    """From where the move starts, mostly; there it is who asks, and what is said and held, that decides."""
    rule = data.draw(st.sampled_from(TABLES[name]["transitions"]))
    status = data.draw(st.sampled_from([*rule["from"], "pending"]))
    turn = data.draw(st.sampled_from([*rule.get("of", ROLES), "stranger"]))
    for lacks in [*rule.get("requires", ()), *rule.get("needs", ())]:
        if data.draw(st.booleans()):
            said[lacks] = "text"
    compare_permit(name, rule["name"], status, turn, actor, said, held)


# --- next_role ---


@pytest.mark.parametrize("name", sorted(TABLES))
def test_whose_turn_it_is_next_follows_from_the_table_alone(name: str) -> None:
    process, table = processes()[name], TABLES[name]
    fields = {field for rule in table["transitions"] if (field := rule.get("role", "").strip("{}")) in FIELDS}
    assert fields == ({"rework_target_role"} if name == "pdsa_task" else set())
    for rule, turn, told in product(table["transitions"], TURNS, [*VALUES, *TURNS]):
        said = {"rework_target_role": told}
        try:
            expected = next_role(table, rule, turn, said)
        except TypeError:  # a list names nobody
            expected = None
        move = process.transitions[rule["name"]]
        if expected is not None:
            assert process.next_role(move, role=turn, fields=said, task="the-task") == expected
            continue
        with pytest.raises(TransitionRefused) as caught:
            process.next_role(move, role=turn, fields=said, task="the-task")
        assert caught.value.message.startswith("rework_target_role of the-task is ")
        able = rows(table, "statuses")[rule["to"]]["roles"]
        assert caught.value.message.endswith(f"after {rule['name']} it can be {' or '.join(able)}.")
        assert (caught.value.kept, caught.value.hint) == (
            "the-task is unchanged.",
            "Name the role that must act next.",
        )


# --- check_fields ---

EVERY_MOVE = Transition(
    name="every", from_=frozenset(), to="ready", actors=frozenset(), requires=frozenset(FIELDS)
)
"""A move with which anything may be said, so that only the writers decide."""
WRONG = object()
LONG = "x" * 20_000
TEXTS = [(" a \n", "a"), ("", ""), (" ", ""), ("ä\ud800", "ä?"), (LONG, LONG)]
NO_TEXTS = [1, True, ["a"], {}, 1.5, "a\x00b", LONG + "x"]
OF_KIND: dict[str, list[tuple[Any, Any]]] = {
    "text": TEXTS,
    "link": [
        (" https://example.org/a?b=c ", "https://example.org/a?b=c"),
        ("", ""),
        ("HTTPS://EXAMPLE.ORG", "HTTPS://EXAMPLE.ORG"),
    ],
    "role": [(" qa ", "qa"), ("dev", "dev"), ("liaison", "liaison"), ("pdsa", "pdsa"), ("", "")],
    "flag": [(True, True), (False, False)],
    "number": [(0, 0), (7, 7), (-7, -7), ((1 << 53) - 1, (1 << 53) - 1)],
    "list": [
        ([], []),
        (["", " "], []),
        ([" a ", "", "b"], ["a", "b"]),
        (["a"] * 100, ["a"] * 100),
    ],
}
NOT_OF_KIND: dict[str, list[Any]] = {
    "text": NO_TEXTS,
    "link": [
        *NO_TEXTS,
        "http://example.org",
        "example.org",
        "https://",
        "https:///a",
        "https://[x",
        "https://me:secret@example.org",
        "https://example.org/a b",
        "https://example.org/" + "a" * 2_000,
        "javascript:alert(1)",
    ],
    "role": [*NO_TEXTS, "founder", "owner", "QA", "qa dev"],
    "flag": [0, 1, "true", "", []],
    "number": [True, 1.5, "7", 1 << 53, -(1 << 53), []],
    "list": ["a", {"a": 1}, [1], [None], ["a\x00"], [["a"]], ["a"] * 101, ["x" * 10_001] * 2],
}


def values_of(field: Table) -> st.SearchStrategy[tuple[Any, Any]]:
    """What may be given for a field, with what it becomes: three times in four something of its kind."""
    kind = field.get("kind", "text")
    fits = [*OF_KIND[kind], (None, None)]
    wrong = [(value, WRONG) for value in NOT_OF_KIND[kind]]
    return st.integers(0, 3).flatmap(lambda dice: st.sampled_from(fits if dice else wrong))


@settings(max_examples=200)
@given(name=tables, turn=st.sampled_from(TURNS), actor=st.sampled_from(ACTORS), data=st.data())
def test_a_field_is_filled_by_whom_the_table_names_with_what_it_declares(
    name: str, turn: str, actor: Actor, data: st.DataObject
) -> None:
    table = TABLES[name]
    fields = rows(table, "fields")
    able = [one for one, field in fields.items() if may_fill(field, actor.kind.value, actor.roles, turn)]
    # Mostly what this one may fill, so that one wrong among many right is seen as well.
    names = data.draw(
        st.lists(st.sampled_from([*able * 3, *fields, "board", "ghost"]), unique=True, max_size=5)
    )
    drawn = {one: data.draw(values_of(fields.get(one, {}))) for one in names}
    given_ = {one: value for one, (value, _) in drawn.items()}
    refused = [
        *({"unknown"} if set(names) - set(fields) else ()),
        *(f"who {one}" for one in names if one in fields and one not in able),
        *(f"what {one}" for one in names if one in fields and drawn[one][1] is WRONG),
    ]

    def ask() -> Any:
        return check_fields(
            processes()[name], given_, actor=actor, role=turn, task="the-task", rule=EVERY_MOVE
        )

    if not refused:
        assert ask() == {one: clean for one, (_, clean) in drawn.items()}
        return
    with pytest.raises((InvalidInput, TransitionRefused)) as caught:
        ask()
    error = caught.value
    assert error.kept == "the-task is unchanged."
    if "unknown" in refused:
        unknown = min(set(names) - set(fields))
        assert isinstance(error, InvalidInput)
        assert error.message == f"{name} has no field {unknown!r}."
        assert error.hint == f"Its fields are {', '.join(fields)}."
    elif isinstance(error, TransitionRefused):
        [culprit] = [
            one for one in names if error.message == f"{actor.person} may not fill {one} of the-task."
        ]
        assert f"who {culprit}" in refused
        writers = ", ".join(sorted(actor_names(fields[culprit].get("writers", ()), turn)))
        assert error.hint == (f"It can be filled by: {writers}." if writers else "Only the engine fills it.")
    else:
        culprit = error.message.partition(" must be ")[0]
        assert f"what {culprit}" in refused
        assert error.hint == f"It holds {fields[culprit]['meaning']}."


def test_of_all_fields_everywhere_each_is_filled_by_its_writers_alone() -> None:
    filled = 0
    for name, table in TABLES.items():
        for field, turn, actor in product(table["fields"], TURNS, ACTORS):
            value, clean = OF_KIND[field.get("kind", "text")][0]
            given_ = {field["name"]: value}
            if may_fill(field, actor.kind.value, actor.roles, turn):
                checked = check_fields(
                    processes()[name], given_, actor=actor, role=turn, task="the-task", rule=EVERY_MOVE
                )
                assert checked == {field["name"]: clean}
                filled += 1
            else:
                with pytest.raises(TransitionRefused, match=f"may not fill {field['name']}"):
                    check_fields(processes()[name], given_, actor=actor, role=turn, task="the-task")
    assert filled > 1_000


@pytest.mark.parametrize("name", sorted(TABLES))
def test_what_is_said_with_its_move_is_filled_by_no_edit_and_no_other_move(name: str) -> None:
    process, table = processes()[name], TABLES[name]
    settled = {field["name"]: field for field in table["fields"] if field.get("with_move")}
    assert "rework_reason" in settled
    for field, rule in product(settled.values(), [None, *table["transitions"]]):
        value, clean = OF_KIND[field.get("kind", "text")][0]

        def give(field: Table = field, rule: Table | None = rule, value: Any = value) -> Any:
            move = rule and process.transitions[rule["name"]]
            given_ = {field["name"]: value}
            return check_fields(process, given_, actor=FOUNDER, role="qa", task="the-task", rule=move)

        if rule is not None and field["name"] in rule.get("requires", ()):
            assert give() == {field["name"]: clean}
            continue
        with pytest.raises(SaidWithMove) as caught:
            give()
        assert (caught.value.code, caught.value.kept) == ("said_with_move", "the-task is unchanged.")
        told = sorted(one["name"] for one in table["transitions"] if field["name"] in one.get("requires", ()))
        assert caught.value.hint == f"It is set with: {', '.join(told)}. Leave it out here."


def test_every_value_of_the_kind_is_taken_as_it_is_meant_and_no_other() -> None:
    wrong = 0
    for name, table in TABLES.items():
        for field in (field for field in table["fields"] if field.get("writers")):
            kind = field.get("kind", "text")

            def give(value: Any, name: str = name, field: Table = field) -> Any:
                given_ = {field["name"]: value}
                return check_fields(
                    processes()[name], given_, actor=FOUNDER, role="dev", task="the-task", rule=EVERY_MOVE
                )

            for value, clean in [*OF_KIND[kind], (None, None)]:
                assert give(value) == {field["name"]: clean}
            for value in NOT_OF_KIND[kind]:
                with pytest.raises(InvalidInput, match=f"^{field['name']} must be "):
                    give(value)
                wrong += 1
    assert wrong > 400


def test_nothing_is_what_a_person_would_call_nothing() -> None:
    """The naive reading itself: a list of nothing is something, and so is a text with a letter."""
    assert [value for value in VALUES if not is_nothing(value)] == [True, 7, "text", "dev", ["a"], {"a": 1}]

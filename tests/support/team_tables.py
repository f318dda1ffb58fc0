"""A second, simpler reading of the tables of team processes, with which the product is compared.

Nothing here is the product's own. A table is the dictionary that its TOML says; whoever acts is a kind, and roles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeAlias

Table: TypeAlias = Mapping[str, Any]

FOLDER = Path(__file__).parent.parent.parent / "src" / "frasier" / "board" / "processes"
TABLES: dict[str, Table] = {
    path.stem: table
    for path in sorted(FOLDER.glob("*.toml"))
    if "creation" in (table := tomllib.loads(path.read_text("utf-8")))
}
"""Every process that has a creation: people and agents make its tasks."""

ALWAYS = {"founder", "system"}
"""Who may pause and restore whatever a table says."""


def rows(table: Table, sort: str) -> dict[str, dict[str, Any]]:
    """The statuses, transitions or fields of a table by their names, in its order."""
    return {row["name"]: row for row in table[sort]}


def roles_of(table: Table) -> set[str]:
    return {role for status in table["statuses"] for role in status["roles"]}


def starts(rule: Table, status: str, role: str) -> bool:
    return status in rule["from"] and role in rule.get("of", [role])


def ways(table: Table, status: str, role: str) -> list[str]:
    """What can be done from a position, by its names in their order."""
    return sorted(called(table, rule["name"]) for rule in table["transitions"] if starts(rule, status, role))


def called(table: Table, move: str) -> str:
    """What people are told that a move is: to take a task is to claim it."""
    return "claim" if move == table["claim"] else move


def is_meant(names: Collection[str], kind: str, roles: Collection[str], turn: str) -> bool:
    """Whether `names` mean somebody of that kind and with those roles, where it is the turn of the role `turn`.

    A member is meant by its roles, everybody else by the kind; nobody by anything else.
    """
    if kind == "member":
        return any(role in names for role in roles) or ("owner" in names and turn in roles)
    return kind in names


def named(names: Collection[str], turn: str) -> set[str]:
    """Those whom `names` mean there, as a person is told."""
    return {turn if name == "owner" else name for name in names}


def is_nothing(value: Any) -> bool:
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return all(is_nothing(one) for one in value)
    return value in (None, False, 0, "", [], {}) or (isinstance(value, str) and value.isspace())


def put(fields: dict[str, Any], said: Table) -> None:
    """Fills fields; with nothing, a field is there no more, but no and nought are answers."""
    for name, value in said.items():
        if is_nothing(value) and not (value is False or (value == 0 and isinstance(value, int))):
            fields.pop(name, None)
        else:
            fields[name] = value


def said_elsewhere(table: Table, name: str, move: str) -> bool:
    """Whether a field is one of those that are said with the moves that require them, and this is none of these."""
    rule = rows(table, "transitions").get(move, {})
    return rows(table, "fields")[name].get("with_move", False) and name not in rule.get("requires", ())


def judgements_in(table: Table) -> list[str]:
    """The fields in which somebody says what they think of the work."""
    return [one["name"] for one in table["fields"] if one.get("own_words") or one.get("judgement")]


def leads_back(rule: Table) -> bool:
    return bool(rule.get("strike") or rule.get("reopens") or rule["name"] == "release")


def lies_ahead(table: Table, rule: Table, status: str, role: str) -> bool:
    """Whether a task can still come to the move from there, without being sent back."""
    seen, ahead = set(), [(status, role)]
    while ahead:
        here = ahead.pop()
        if here in seen:
            continue
        seen.add(here)
        if starts(rule, *here):
            return True
        ahead += [
            (move["to"], turn_after(table, move, here[1], {}) or "")
            for move in table["transitions"]
            if starts(move, *here) and not leads_back(move)
        ]
    return False


def lacking(rule: Table, said: Table, held: Table) -> set[str]:
    """What a move lacks: some fields must be said with it, others must be there by then."""
    both = {**held, **said}
    unsaid = {name for name in rule.get("requires", ()) if is_nothing(said.get(name))}
    return unsaid | {name for name in rule.get("needs", ()) if is_nothing(both.get(name))}


def turn_after(table: Table, rule: Table, turn: str, said: Table) -> str | None:
    """Whose turn it is after a move; None where a field has to name them and does not."""
    able = rows(table, "statuses")[rule["to"]]["roles"]
    says = rule.get("role", "")
    if says.startswith("{"):
        told = said.get(says.strip("{}"))
        return told if told in able else None
    if says:
        return str(says)
    return able[0] if len(able) == 1 else turn


def may_fill(field: Table, kind: str, roles: Collection[str], turn: str) -> bool:
    """The founder fills whatever anybody fills; what nobody fills is the engine's."""
    writers = field.get("writers", [])
    return bool(writers) if kind == "founder" else is_meant(writers, kind, roles, turn)

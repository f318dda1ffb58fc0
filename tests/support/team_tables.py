"""A second, simpler interpretation of the tables of team processes, to compare with the product.

Nothing here uses the product. A table is the dictionary of its TOML; an actor is a kind with roles.
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
"""The kinds of actors that may block and restore regardless of the table."""


def rows(table: Table, sort: str) -> dict[str, dict[str, Any]]:
    """Return the statuses, transitions or fields of a table by name, in its order."""
    return {row["name"]: row for row in table[sort]}


def roles_of(table: Table) -> set[str]:
    return {role for status in table["statuses"] for role in status["roles"]}


def starts(rule: Table, status: str, role: str) -> bool:
    return status in rule["from"] and role in rule.get("of", [role])


def transitions_from(table: Table, status: str, role: str) -> list[str]:
    """Return the transitions from a position by name, in their order."""
    return sorted(
        move_label(table, rule["name"]) for rule in table["transitions"] if starts(rule, status, role)
    )


def move_label(table: Table, move: str) -> str:
    """Return the name of a move as people read it: to take a task is to claim it."""
    return "claim" if move == table["claim"] else move


def includes_actor(names: Collection[str], kind: str, roles: Collection[str], turn: str) -> bool:
    """Return True if `names` include an actor of that kind with those roles, where `turn` is the role whose turn it is.

    A member is named by its roles, any other actor by its kind.
    """
    if kind == "member":
        return any(role in names for role in roles) or ("owner" in names and turn in roles)
    return kind in names


def actor_names(names: Collection[str], turn: str) -> set[str]:
    """Return the actors of `names` as people read them."""
    return {turn if name == "owner" else name for name in names}


def is_nothing(value: Any) -> bool:
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return all(is_nothing(one) for one in value)
    return value in (None, False, 0, "", [], {}) or (isinstance(value, str) and value.isspace())


def set_fields(fields: dict[str, Any], said: Table) -> None:
    """Set fields; None removes a field, but False and 0 are values."""
    for name, value in said.items():
        if is_nothing(value) and not (value is False or (value == 0 and isinstance(value, int))):
            fields.pop(name, None)
        else:
            fields[name] = value


def belongs_to_other_move(table: Table, name: str, move: str) -> bool:
    """Return True if the field is given with moves that require it, and this is not one of them."""
    rule = rows(table, "transitions").get(move, {})
    return rows(table, "fields")[name].get("with_move", False) and name not in rule.get("requires", ())


def judgements_in(table: Table) -> list[str]:
    """Return the fields that hold a judgement of the work."""
    return [one["name"] for one in table["fields"] if one.get("own_words") or one.get("judgement")]


def leads_back(rule: Table) -> bool:
    return bool(rule.get("strike") or rule.get("reopens") or rule["name"] == "release")


def is_reachable(table: Table, rule: Table, status: str, role: str) -> bool:
    """Return True if the task can still reach the move from there without being sent back."""
    seen, ahead = set(), [(status, role)]
    while ahead:
        here = ahead.pop()
        if here in seen:
            continue
        seen.add(here)
        if starts(rule, *here):
            return True
        ahead += [
            (move["to"], next_role(table, move, here[1], {}) or "")
            for move in table["transitions"]
            if starts(move, *here) and not leads_back(move)
        ]
    return False


def missing_fields(rule: Table, said: Table, held: Table) -> set[str]:
    """Return what a move lacks: fields that must be given with it, and fields that must be set by then."""
    both = {**held, **said}
    unsaid = {name for name in rule.get("requires", ()) if is_nothing(said.get(name))}
    return unsaid | {name for name in rule.get("needs", ()) if is_nothing(both.get(name))}


def next_role(table: Table, rule: Table, turn: str, said: Table) -> str | None:
    """Return the role whose turn it is after a move; None if a required field does not name it."""
    able = rows(table, "statuses")[rule["to"]]["roles"]
    says = rule.get("role", "")
    if says.startswith("{"):
        told = said.get(says.strip("{}"))
        return told if told in able else None
    if says:
        return str(says)
    return able[0] if len(able) == 1 else turn


def may_fill(field: Table, kind: str, roles: Collection[str], turn: str) -> bool:
    """Return True if the actor may fill the field. The founder may if anybody may; the rest is the engine's."""
    writers = field.get("writers", [])
    return bool(writers) if kind == "founder" else includes_actor(writers, kind, roles, turn)

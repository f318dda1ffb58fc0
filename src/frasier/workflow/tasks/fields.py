"""What a task may hold: declared fields, of their kind, filled by whom the table names. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from frasier.kernel.errors import InvalidInput, TransitionRefused
from frasier.workflow.processes.process import (
    OWNER,
    Actor,
    ActorKind,
    Field,
    FieldKind,
    Process,
    Transition,
    is_filled,
)
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.judgements import said_again_by, taken_by

if TYPE_CHECKING:
    from frasier.workflow.tasks.task import Task

TEXT_CHARS_MAX = 20_000
_LINK_CHARS_MAX = 2_000
_LIST_MAX = 100


class SaidWithMove(TransitionRefused):
    """The field stands as it was said with the move that requires it: nobody rewrites it afterwards."""

    code = "said_with_move"


def check_fields(
    process: Process,
    given: Mapping[str, Any],
    *,
    actor: Actor,
    role: str,
    task: str,
    rule: Transition | None = None,
    again: Mapping[str, Collection[str]] | None = None,
) -> dict[str, Any]:
    """`given` with texts trimmed, if every field is declared, of its kind, and `actor` may fill it where `role` acts;
    with the move `rule`, or by itself where there is none. `again` tells who gives a judgement again.

    Raises InvalidInput for a field that there is none of or a value of another kind, TransitionRefused for who may
    not, and SaidWithMove for what is said with other moves only.
    """
    kept = f"{task} is unchanged."
    if unknown := sorted(given.keys() - process.fields.keys()):
        raise InvalidInput(
            f"{process.name} has no field {unknown[0][:60]!r}.",
            kept=kept,
            hint=f"Its fields are {', '.join(process.fields)}.",
        )
    checked = {}
    for name, value in given.items():
        field = process.fields[name]
        anew = (again or {}).get(name)
        if not (_is_one_of(actor, anew) if anew else may_write(field, actor, role)):
            raise TransitionRefused(
                f"{actor.person} may not fill {name} of {task}.",
                kept=kept,
                hint=_who(anew or field.writers, role),
            )
        if field.with_move and not anew and (rule is None or name not in rule.requires):
            raise SaidWithMove(
                f"{name} of {task} stands as it was said with its move.",
                kept=kept,
                hint=f"It is said with: {', '.join(_said_with(process, name))}.",
            )
        checked[name] = _value(process, field, value, kept)
    return checked


def said_fields(task: Task, said: Mapping[str, Any], actor: Actor, rule: Transition) -> dict[str, Any]:
    """What is said with the move `rule`. It is checked like an edit where the rules say so; elsewhere it is our own."""
    if not rules_of(task.definition).moves_edit or actor.kind is ActorKind.SYSTEM:
        return dict(said)
    return written_fields(task, said, actor, rule)


def written_fields(
    task: Task, given: Mapping[str, Any], actor: Actor, rule: Transition | None = None
) -> dict[str, Any]:
    """`given` as check_fields leaves it, where `actor` may write it now: what the move `rule` takes goes with it, a
    judgement that was cleared is given again from anywhere, and all else is written where it is the actor's turn.
    """
    process = task.definition
    taken = frozenset() if rule is None else taken_by(process, rule)
    again = {name: _again(task, name, taken) for name in given.keys() & process.fields.keys()}
    checked = check_fields(
        process, given, actor=actor, role=task.role, task=task.slug, rule=rule, again=again
    )
    for name in checked:
        if name not in taken and not again[name]:
            _check_turn(task, name, actor)
    return checked


def split_filled(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What is filled, and the names of what is emptied: by an empty text, list or null. No and nought are answers."""
    filled = {name: value for name, value in fields.items() if is_filled(value) or value in (False, 0)}
    return filled, sorted(fields.keys() - filled.keys())


def fields_after(task: Task, said: Mapping[str, Any]) -> dict[str, Any]:
    """What the task would hold with what is said, before a move clears anything."""
    filled, emptied = split_filled(said)
    return {name: value for name, value in task.fields.items() if name not in emptied} | filled


def may_write(field: Field, actor: Actor, role: str) -> bool:
    """Whether a table lets the actor fill the field where `role` acts; the founder may, wherever anybody may."""
    if actor.kind is ActorKind.FOUNDER:
        return bool(field.writers)
    return actor.is_among(field.writers, role)


def _again(task: Task, name: str, taken: Collection[str]) -> frozenset[str]:
    """Who gives the field again as a judgement that was cleared; with a move that takes it also who writes it there."""
    again = said_again_by(task, name)
    if not again or name not in taken:
        return again
    return again | {task.role if one == OWNER else one for one in task.definition.fields[name].writers}


def _check_turn(task: Task, name: str, actor: Actor) -> None:
    """Raises TransitionRefused where it is nobody's turn who writes the field, or not the actor's."""
    writers = task.definition.fields[name].writers
    on_turn = task.role in writers or OWNER in writers
    if actor.kind is ActorKind.FOUNDER:
        may = on_turn or ActorKind.FOUNDER in writers
    else:
        may = on_turn and task.role in actor.roles and task.lease_owner in {None, actor.name}
        makes = actor.roles & task.definition.creation.actors
        may = may or (bool(makes) and task.attempt == 0)
    if may or actor.kind not in {ActorKind.FOUNDER, ActorKind.MEMBER}:
        return
    kept = f"{task.slug} is unchanged."
    if on_turn and task.lease_owner is not None:
        raise TransitionRefused(
            f"{task.slug} is held by {task.holder}, so {actor.person} cannot fill {name}.",
            kept=kept,
            hint="Wait until it is given back or its lease has run out.",
        )
    who = sorted(task.role if one == OWNER else one for one in writers)
    raise TransitionRefused(
        f"{task.slug} is {task.status} with {task.role}, so {actor.person} cannot change {name}.",
        kept=kept,
        hint=f"It can be changed when it is the turn of {' or '.join(who)}. If it is wrong, have the task sent back.",
    )


def _is_one_of(actor: Actor, roles: Collection[str]) -> bool:
    return actor.kind is ActorKind.FOUNDER or actor.is_among(frozenset(roles), "")


def _who(writers: Collection[str], role: str) -> str:
    who = sorted({role if writer == OWNER else writer for writer in writers})
    return f"It can be filled by: {', '.join(who)}." if who else "The engine alone fills it."


def _said_with(process: Process, name: str) -> list[str]:
    return sorted(move.name for move in process.transitions.values() if name in move.requires)


def _value(process: Process, field: Field, value: Any, kept: str) -> Any:
    """The value of the field's kind. An empty one empties the field."""
    if value is None:
        return None
    match field.kind:
        case FieldKind.TEXT | FieldKind.LINK | FieldKind.ROLE:
            if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX or "\x00" in value:
                raise _wrong(field, f"a text of at most {TEXT_CHARS_MAX:,} characters", kept)
            text = value.encode("utf-8", "replace").decode().strip()
            if field.kind is FieldKind.LINK and text and not _is_link(text):
                raise _wrong(field, "an https address", kept)
            if field.kind is FieldKind.ROLE and text and text not in process.roles:
                raise _wrong(field, f"one of {', '.join(sorted(process.roles))}", kept)
            return text
        case FieldKind.FLAG:
            if not isinstance(value, bool):
                raise _wrong(field, "true or false", kept)
        case FieldKind.NUMBER:
            if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 53:
                raise _wrong(field, "a whole number", kept)
        case FieldKind.LIST:
            if not isinstance(value, list) or len(value) > _LIST_MAX:
                raise _wrong(field, f"a list of at most {_LIST_MAX} texts", kept)
            if not all(isinstance(one, str) and "\x00" not in one for one in value):
                raise _wrong(field, "a list of texts", kept)
            if sum(map(len, value)) > TEXT_CHARS_MAX:
                raise _wrong(field, f"a list of at most {TEXT_CHARS_MAX:,} characters", kept)
            texts = [one.encode("utf-8", "replace").decode().strip() for one in value]
            return [text for text in texts if text]
    return value


def _is_link(text: str) -> bool:
    if len(text) > _LINK_CHARS_MAX or any(char.isspace() for char in text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme == "https" and bool(parts.hostname) and parts.username is None
    except ValueError:
        return False


def _wrong(field: Field, kind: str, kept: str) -> InvalidInput:
    return InvalidInput(f"{field.name} must be {kind}.", kept=kept, hint=f"It tells {field.meaning}.")

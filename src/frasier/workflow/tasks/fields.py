"""Checks of field values: declared fields, of their kind, filled by their writers. Pure."""

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
from frasier.workflow.tasks.judgements import input_fields, renewers_of

if TYPE_CHECKING:
    from frasier.workflow.tasks.task import Task

TEXT_CHARS_MAX = 20_000
_LINK_CHARS_MAX = 2_000
_LIST_MAX = 100


class SaidWithMove(TransitionRefused):
    """Refusal to change a field that a move has set."""

    code = "said_with_move"


def check_fields(
    process: Process,
    values: Mapping[str, Any],
    *,
    actor: Actor,
    role: str,
    task: str,
    rule: Transition | None = None,
    renewable_by: Mapping[str, Collection[str]] | None = None,
    unchanged: str = "",
) -> dict[str, Any]:
    """Return `values` with texts trimmed, if every field is declared, of its kind, and `actor` may fill it when
    `role` acts.

    `rule` is the move with which they are passed; None for an edit. `renewable_by` lists who may give a judgement
    again; `unchanged` says what a refusal preserves. Raises InvalidInput for an unknown field or a value of another
    kind, TransitionRefused for an actor who may not, and SaidWithMove for a field that only other moves set.
    """
    unchanged = unchanged or f"{task} is unchanged."
    if unknown := sorted(values.keys() - process.fields.keys()):
        raise InvalidInput(
            f"{process.name} has no field {unknown[0][:60]!r}.",
            kept=unchanged,
            hint=f"Its fields are {', '.join(process.fields)}.",
        )
    checked = {}
    for name, value in values.items():
        field = process.fields[name]
        renewers = (renewable_by or {}).get(name)
        if not (_has_role_of(actor, renewers) if renewers else may_write(field, actor, role)):
            raise TransitionRefused(
                f"{actor.person} may not fill {name} of {task}.",
                kept=unchanged,
                hint=_writers_hint(renewers or field.writers, role),
            )
        if field.with_move and not renewers and (rule is None or name not in rule.requires):
            raise SaidWithMove(
                f"{name} of {task} is set with its move and cannot be changed.",
                kept=unchanged,
                hint=f"It is set with: {', '.join(_moves_requiring(process, name))}. Leave it out here.",
            )
        checked[name] = _value(process, field, value, unchanged)
    return checked


def move_fields(task: Task, fields: Mapping[str, Any], actor: Actor, rule: Transition) -> dict[str, Any]:
    """Return the checked fields of the move `rule`. They are checked like an edit only if the rules of the task treat
    moves as edits.
    """
    if not rules_of(task.definition).moves_edit or actor.kind is ActorKind.SYSTEM:
        return dict(fields)
    return written_fields(task, fields, actor, rule)


def written_fields(
    task: Task, values: Mapping[str, Any], actor: Actor, rule: Transition | None = None
) -> dict[str, Any]:
    """Check `values` as check_fields does, and that `actor` may write them now.

    Fields that the move `rule` takes are passed with it; a cleared judgement is given again at any position; all
    others are written at the actor's turn.
    """
    process = task.definition
    inputs = frozenset() if rule is None else input_fields(process, rule)
    renewable_by = {name: _renewers(task, name, inputs) for name in values.keys() & process.fields.keys()}
    checked = check_fields(
        process, values, actor=actor, role=task.role, task=task.slug, rule=rule, renewable_by=renewable_by
    )
    for name in checked:
        if name not in inputs and not renewable_by[name]:
            _check_turn(task, name, actor)
    return checked


def split_filled(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the filled fields, and the names of those that an empty text, list or null empties. False and 0 are
    values.
    """
    filled = {name: value for name, value in fields.items() if is_filled(value) or value in (False, 0)}
    return filled, sorted(fields.keys() - filled.keys())


def fields_after(task: Task, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the task would have with these, before a move clears any."""
    filled, emptied = split_filled(fields)
    return {name: value for name, value in task.fields.items() if name not in emptied} | filled


def may_write(field: Field, actor: Actor, role: str) -> bool:
    """Return whether the actor may fill the field when `role` acts; the founder may, if the field has any writers."""
    if actor.kind is ActorKind.FOUNDER:
        return bool(field.writers)
    return actor.is_among(field.writers, role)


def _renewers(task: Task, name: str, inputs: Collection[str]) -> frozenset[str]:
    """Return the roles that may give the field again as a cleared judgement; with a move that takes it, also its
    writers at that position.
    """
    renewers = renewers_of(task, name)
    if not renewers or name not in inputs:
        return renewers
    return renewers | {
        task.role if writer == OWNER else writer for writer in task.definition.fields[name].writers
    }


def _check_turn(task: Task, name: str, actor: Actor) -> None:
    """Refuse an edit outside the turn of the field's writers, or of the actor. Raises TransitionRefused."""
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
    unchanged = f"{task.slug} is unchanged."
    if on_turn and task.lease_owner is not None:
        raise TransitionRefused(
            f"{task.slug} is held by {task.holder}, so {actor.person} cannot fill {name}.",
            kept=unchanged,
            hint="Wait until it is released or its lease expires.",
        )
    who = sorted(task.role if writer == OWNER else writer for writer in writers)
    raise TransitionRefused(
        f"{task.slug} is {task.status} with {task.role}, so {actor.person} cannot change {name}.",
        kept=unchanged,
        hint=f"It can be changed when it is the turn of {' or '.join(who)}. If it is wrong, have the task sent back.",
    )


def _has_role_of(actor: Actor, roles: Collection[str]) -> bool:
    return actor.kind is ActorKind.FOUNDER or actor.is_among(frozenset(roles), "")


def _writers_hint(writers: Collection[str], role: str) -> str:
    who = sorted({role if writer == OWNER else writer for writer in writers})
    return f"It can be filled by: {', '.join(who)}." if who else "Only the engine fills it."


def _moves_requiring(process: Process, name: str) -> list[str]:
    return sorted(move.name for move in process.transitions.values() if name in move.requires)


def _value(process: Process, field: Field, value: Any, unchanged: str) -> Any:
    """Return the checked value of the field's kind. An empty one empties the field."""
    if value is None:
        return None
    match field.kind:
        case FieldKind.TEXT | FieldKind.LINK | FieldKind.ROLE:
            if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX or "\x00" in value:
                raise _wrong(field, f"a text of at most {TEXT_CHARS_MAX:,} characters", unchanged)
            text = value.encode("utf-8", "replace").decode().strip()
            if field.kind is FieldKind.LINK and text and not _is_link(text):
                raise _wrong(field, "an https address", unchanged)
            if field.kind is FieldKind.ROLE and text and text not in process.roles:
                raise _wrong(field, f"one of {', '.join(sorted(process.roles))}", unchanged)
            return text
        case FieldKind.FLAG:
            if not isinstance(value, bool):
                raise _wrong(field, "true or false", unchanged)
        case FieldKind.NUMBER:
            if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 53:
                raise _wrong(field, "a whole number", unchanged)
        case FieldKind.LIST:
            if not isinstance(value, list) or len(value) > _LIST_MAX:
                raise _wrong(field, f"a list of at most {_LIST_MAX} texts", unchanged)
            if not all(isinstance(text, str) and "\x00" not in text for text in value):
                raise _wrong(field, "a list of texts", unchanged)
            if sum(map(len, value)) > TEXT_CHARS_MAX:
                raise _wrong(field, f"a list of at most {TEXT_CHARS_MAX:,} characters", unchanged)
            texts = [text.encode("utf-8", "replace").decode().strip() for text in value]
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


def _wrong(field: Field, kind: str, unchanged: str) -> InvalidInput:
    return InvalidInput(f"{field.name} must be {kind}.", kept=unchanged, hint=f"It holds {field.meaning}.")

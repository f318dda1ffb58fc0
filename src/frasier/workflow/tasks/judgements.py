"""Judgements: reviews, answers and approvals of a task, each bound by digest to the fields that it judged. Pure.

A judgement is a field that the process declares as one, or a completed move that was an approval or review. An edit
of the fields that it judged clears it. Until it is given again, no move that relies on it can be made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from frasier.workflow.processes.process import BLOCKED, OWNER, Actor, Process, Transition, is_filled
from frasier.workflow.processes.process_validation import Position, positions_after
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.task import Task, value_digest

_MOVE_PREFIX = "move "
"""Prefix of the key of a move; the key of a field is its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementUpdate:
    """The fields and judgements of a task after a change.

    - `fields`: the fields without the judgements that the change clears.
    - `judgements`: the entry of each judgement.
    - `cleared`: the author of each cleared judgement, by its name; `emptied`: those of them that are fields.
    - `new`: the keys of the new judgements.
    - `renewed`: for each move whose judgement was given again, who gave it and by which decision.
    """

    fields: Mapping[str, Any]
    judgements: Mapping[str, Mapping[str, Any]]
    cleared: Mapping[str, str]
    emptied: Sequence[str] = ()
    new: Collection[str] = ()
    renewed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def recorded(self) -> dict[str, Any]:
        """Return the part of the event that concerns judgements."""
        new = {key: {name: self.judgements[key][name] for name in ("of", "digest")} for key in self.new}
        return {
            **({"judged": new} if new else {}),
            **({"judgements_cleared": dict(self.cleared)} if self.cleared else {}),
            **({"renewed": dict(self.renewed)} if self.renewed else {}),
        }


def update_judgements(
    task: Task, after: Mapping[str, Any], filled: Collection[str], actor: Actor
) -> JudgementUpdate:
    """Compute the judgements of `task` when its fields become `after`, of which `actor` filled the fields `filled`."""
    if not rules_of(task.definition).binds_judgements:
        return JudgementUpdate(fields=after, judgements=task.judgements, cleared={})
    declared = task.definition.fields
    fields, standing, cleared = dict(after), dict(task.judgements), {}
    digests = _Digests(after)
    for name in [name for name, declaration in declared.items() if declaration.judges]:
        if name in filled and is_filled(after.get(name)):
            continue
        if name not in after:
            if standing.get(name, {}).get("digest"):
                del standing[name]  # an emptied field is no judgement
        elif changed := _changed_fields(task, name, digests):
            by = _entry(task, name)["by"]
            standing[name] = _entry(task, name) | {"digest": "", "changed": changed}
            cleared[name] = by
            del fields[name]
    emptied = sorted(cleared)
    for key in [key for key in standing if key.startswith(_MOVE_PREFIX)]:
        if standing[key]["digest"] and (changed := _changed_fields(task, key, digests)):
            cleared[key.removeprefix(_MOVE_PREFIX)] = standing[key]["by"]
            standing[key] = {**standing[key], "digest": "", "changed": changed}
    new = [
        name for name in filled if name in declared and declared[name].judges and is_filled(after.get(name))
    ]
    cleared_moves = [rule.name for rule in _cleared_moves(task.definition, standing)]
    for name in new:
        of = _fields_judged_at(task, name, after, cleared_moves)
        standing[name] = {"by": str(actor), "of": of, "digest": digests.of(of)}
    return JudgementUpdate(fields=fields, judgements=standing, cleared=cleared, emptied=emptied, new=new)


def mismatched_fields(process: Process, rule: Transition, update: JudgementUpdate) -> list[str]:
    """Return the filled fields that `rule` takes as judgements, but which are bound to other fields than it judges."""
    of = judged_fields(process, rule, update.fields)
    digests = _Digests(update.fields)
    return [
        name
        for name in judging_fields(process, rule)
        if is_filled(update.fields.get(name)) and not _is_bound_to(update.judgements.get(name), of, digests)
    ]


def lapsed_judgements(task: Task, rule: Transition, update: JudgementUpdate) -> list[Transition]:
    """Return the moves behind `task` whose judgement `rule` relies on, and which no longer match its fields; in the
    order of the table.
    """
    process = task.definition
    if rule.leads_back or (process.status(rule.to).terminal and not _completes(process, rule)):
        return []
    digests = _Digests(update.fields)
    lapsed = [
        process.transitions[name]
        for key, entry in update.judgements.items()
        if (name := key.removeprefix(_MOVE_PREFIX)) != key
        and name in process.transitions
        and name != rule.name
        and entry["digest"] != digests.of(entry["of"])
    ]
    order = list(process.transitions)
    behind = [move for move in lapsed if not _lies_ahead(process, move, (task.status, task.role))]
    return sorted(behind, key=lambda move: order.index(move.name))


def owed(task: Task) -> dict[str, list[str]]:
    """Return the fields to give again, by the name of each move behind the task whose judgement was cleared. A paused
    task is passed as it is at its position.
    """
    if not task.judgements:
        return {}
    process = task.definition
    update = JudgementUpdate(fields=task.fields, judgements=task.judgements, cleared={})
    return {
        rule.name: fields_to_renew(process, rule, update)
        for rule in _cleared_moves(process, task.judgements)
        if not _lies_ahead(process, rule, (task.status, task.role))
    }


def is_open(task: Task, rule: Transition) -> bool:
    """Return whether the judgements of the task permit `rule` at its position: an approval that holds is not
    revoked.
    """
    revoked = [task.definition.transitions[name] for name in rule.revokes]
    if not revoked or any(move.starts_from(task.status, task.role) for move in revoked):
        return True
    return not rule.revokes.isdisjoint(owed(task))


def newly_owed(before: Task, after: Task) -> list[str]:
    """Return the moves behind the task whose judgement the change from `before` to `after` cleared; `before` is at
    its position.
    """
    known = {rule.name for rule in _cleared_moves(before.definition, before.judgements)}
    if after.status == BLOCKED:
        after = replace(after, status=before.status, role=before.role)
    return sorted(owed(after).keys() - known)


def renewers_of(task: Task, name: str) -> frozenset[str]:
    """Return the roles that may give the field again at any position, because it is part of a cleared approval or
    review behind the task; empty if there is none. Its owner is the role whose turn it was then.
    """
    process = task.definition
    behind = [process.transitions[move] for move in owed(task)]
    moves = [rule for rule in behind if name in judging_fields(process, rule)]
    turns = {role for rule in moves for role in rule.of or _roles_at(process, rule)}
    writers = process.fields[name].writers if moves else frozenset()
    return writers - {OWNER} | (turns if OWNER in writers else set())


def fields_to_renew(process: Process, rule: Transition, update: JudgementUpdate) -> list[str]:
    """Return the fields of the judgement of `rule` that are empty or bound to other fields."""
    needed = [name for name in judging_fields(process, rule) if _is_needed(process, rule, name)]
    empty = [name for name in needed if not is_filled(update.fields.get(name))]
    return sorted({*empty, *mismatched_fields(process, rule, update)})


def add_move_judgement(
    process: Process,
    rule: Transition,
    update: JudgementUpdate,
    *,
    by: str,
    renewed: Mapping[str, Mapping[str, str]],
) -> JudgementUpdate:
    """Add the judgement of the move `rule`, given by `by`, and those that were `renewed`."""
    digests, judgements, new = _Digests(update.fields), dict(update.judgements), list(update.new)
    authors = {name: renewal["by"] for name, renewal in renewed.items()}
    authors |= {rule.name: by} if is_judgement(process, rule) else {}
    for name, author in authors.items():
        of = judged_fields(process, process.transitions[name], update.fields)
        judgements[_MOVE_PREFIX + name] = {"by": author, "of": of, "digest": digests.of(of)}
        new.append(_MOVE_PREFIX + name)
    return replace(update, judgements=judgements, new=new, renewed=renewed)


def changed_since(judgements: Mapping[str, Any], rule: Transition) -> list[str]:
    """Return the fields that were changed since `rule` was approved, as far as that was recorded."""
    return list(judgements.get(_MOVE_PREFIX + rule.name, {}).get("changed", ()))


def is_judgement(process: Process, rule: Transition) -> bool:
    """Return whether a move is an approval or a review: the founder may decide about it, or it takes a judgement."""
    says = rule.decision or bool(rule.judges or judging_fields(process, rule))
    return rules_of(process).binds_judgements and not rule.leads_back and says


def judging_fields(process: Process, rule: Transition) -> list[str]:
    """Return the fields that hold the judgement which the move takes."""
    taken = input_fields(process, rule)
    return [name for name, field in process.fields.items() if field.judges and name in taken]


def input_fields(process: Process, rule: Transition) -> frozenset[str]:
    """Return the fields that the move takes: those that it requires or needs, or that one of its gates reads."""
    gates = rules_of(process).gates
    return rule.requires | rule.needs | {name for gate in rule.gates for name in gates[gate].reads}


def judged_fields(process: Process, rule: Transition, fields: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that the move judges, for a task that holds `fields`."""
    if rule.judges:
        return sorted(rule.judges)
    work = {name for name, field in process.fields.items() if field.deliverable and name in fields}
    return sorted(work | process.creation.requires)


def combined_digest(digests: Mapping[str, str], names: Collection[str]) -> str:
    """Return the SHA-256 of what was judged, from the digest of each field's value by its name."""
    text = json.dumps({name: digests.get(name) for name in sorted(names)}, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Digests:
    """Digests of fields of a task; each value is read once."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self._held: dict[str, str] = {}

    def of(self, names: Collection[str]) -> str:
        for name in names:
            if name in self._fields and name not in self._held:
                self._held[name] = value_digest(self._fields[name])
        return combined_digest(self._held, names)


def _changed_fields(task: Task, key: str, digests: _Digests) -> list[str]:
    """Return the judged fields that a change alters; empty if the judgement still holds."""
    entry = _entry(task, key)
    if entry["digest"] == digests.of(entry["of"]):
        return []
    before = _Digests(task.fields)
    # A change that bypassed the engine names no field.
    return [name for name in entry["of"] if before.of([name]) != digests.of([name])] or list(entry["of"])


def _entry(task: Task, key: str) -> dict[str, Any]:
    """Return the entry of a judgement; for one given before entries were recorded, one bound to all that it may be
    about.
    """
    if key in task.judgements:
        return dict(task.judgements[key])
    of = _fields_judged_at(task, key, task.fields, ())
    return {"by": "", "of": of, "digest": _Digests(task.fields).of(of)}


def _fields_judged_at(
    task: Task, name: str, fields: Mapping[str, Any], cleared_moves: Collection[str]
) -> list[str]:
    """Return the fields that a judgement given at the position of the task is about.

    They are those judged by the moves that take the judgement and start here or were cleared; else by any move that
    takes it.
    """
    process = task.definition
    moves = [rule for rule in process.transitions.values() if name in judging_fields(process, rule)]
    near = [rule for rule in moves if rule.starts_from(task.status, task.role) or rule.name in cleared_moves]
    return sorted({judged for rule in near or moves for judged in judged_fields(process, rule, fields)})


def _is_bound_to(entry: Mapping[str, Any] | None, of: Collection[str], digests: _Digests) -> bool:
    return entry is not None and entry["digest"] == digests.of(entry["of"]) and set(of) <= set(entry["of"])


def _cleared_moves(process: Process, judgements: Mapping[str, Any]) -> Iterator[Transition]:
    for key, entry in judgements.items():
        name = key.removeprefix(_MOVE_PREFIX)
        if name != key and not entry["digest"] and name in process.transitions:
            yield process.transitions[name]


def _is_needed(process: Process, rule: Transition, name: str) -> bool:
    """Return whether the move cannot be made without the field: a gate may open without a field that it reads."""
    gates = rules_of(process).gates
    return name in rule.needs | rule.requires or any(
        gates[gate].questions and name in gates[gate].reads for gate in rule.gates
    )


def _roles_at(process: Process, rule: Transition) -> set[str]:
    return {role for status in rule.from_ if status != BLOCKED for role in process.status(status).roles}


def _completes(process: Process, rule: Transition) -> bool:
    return process.status(rule.to).outcome == "completed"


def _lies_ahead(process: Process, rule: Transition, position: Position) -> bool:
    """Return whether the move can still be made further on from there; its judgement is given anew then."""
    reached, ahead = {position}, [position]
    while ahead:
        here = ahead.pop()
        if rule.starts_from(*here):
            return True
        for move in process.transitions.values():
            if not move.leads_back:
                new = positions_after(process, move, here) - reached
                reached |= new
                ahead += new
    return False

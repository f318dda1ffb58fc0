"""Judgements: reviews, answers and approvals of a task, each bound by digest to the fields that it judged. Pure.

A judgement is a field that the process declares as one, or a move that was made: the approval or review that it was.
An edit of what it judged clears it. Until it is given again, no move leads on that relies on it.
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

_MOVE = "move "
"""What the key of a made move begins with; that of a field is its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a task holds once a change is made: `fields` without the judgements that it clears, and what stands for each
    judgement. `cleared` tells by the name of each judgement that was cleared who gave it; `emptied` are those of them
    that are fields, which are empty now; `given` are the keys of the new ones; `renewed` tells of each move whose
    judgement was given again by whom and by which decision.
    """

    fields: Mapping[str, Any]
    judgements: Mapping[str, Mapping[str, Any]]
    cleared: Mapping[str, str]
    emptied: Sequence[str] = ()
    given: Collection[str] = ()
    renewed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def recorded(self) -> dict[str, Any]:
        """What the event of the change says of judgements."""
        given = {key: {name: self.judgements[key][name] for name in ("of", "digest")} for key in self.given}
        return {
            **({"judged": given} if given else {}),
            **({"judgements_cleared": dict(self.cleared)} if self.cleared else {}),
            **({"renewed": dict(self.renewed)} if self.renewed else {}),
        }


def settle(task: Task, after: Mapping[str, Any], said: Collection[str], actor: Actor) -> Settled:
    """What becomes of the judgements of `task` when it holds `after`, of which `actor` says the fields `said`."""
    if not rules_of(task.definition).binds_judgements:
        return Settled(fields=after, judgements=task.judgements, cleared={})
    declared = task.definition.fields
    fields, standing, cleared = dict(after), dict(task.judgements), {}
    digests = _Digests(after)
    for name in [one.name for one in declared.values() if one.judges]:
        if name in said and is_filled(after.get(name)):
            continue
        if name not in after:
            if standing.get(name, {}).get("digest"):
                del standing[name]  # emptied, which is no judgement any more
        elif changed := _changed(task, name, digests):
            by = _entry(task, name)["by"]
            standing[name] = _entry(task, name) | {"digest": "", "changed": changed}
            cleared[name] = by
            del fields[name]
    emptied = sorted(cleared)
    for key in [key for key in standing if key.startswith(_MOVE)]:
        if standing[key]["digest"] and (changed := _changed(task, key, digests)):
            cleared[key.removeprefix(_MOVE)] = standing[key]["by"]
            standing[key] = {**standing[key], "digest": "", "changed": changed}
    given = [
        name for name in said if name in declared and declared[name].judges and is_filled(after.get(name))
    ]
    lapsed = [rule.name for rule in _lapsed(task.definition, standing)]
    for name in given:
        of = _judged_at(task, name, after, lapsed)
        standing[name] = {"by": str(actor), "of": of, "digest": digests.of(of)}
    return Settled(fields=fields, judgements=standing, cleared=cleared, emptied=emptied, given=given)


def uncovered(process: Process, rule: Transition, settled: Settled) -> list[str]:
    """The filled fields that `rule` takes for judgements, and that were given for something else than it judges."""
    of = judged(process, rule, settled.fields)
    digests = _Digests(settled.fields)
    return [
        name
        for name in judging_fields(process, rule)
        if is_filled(settled.fields.get(name)) and not _covers(settled.judgements.get(name), of, digests)
    ]


def relied_on(task: Task, rule: Transition, settled: Settled) -> list[Transition]:
    """The moves that `task` has behind it, whose judgement `rule` relies on, and which does not stand any more."""
    process = task.definition
    if rule.leads_back or (process.status(rule.to).terminal and not _completes(process, rule)):
        return []
    digests = _Digests(settled.fields)
    fallen = [
        process.transitions[name]
        for key, entry in settled.judgements.items()
        if (name := key.removeprefix(_MOVE)) != key
        and name in process.transitions
        and name != rule.name
        and entry["digest"] != digests.of(entry["of"])
    ]
    order = list(process.transitions)
    behind = [one for one in fallen if not _lies_ahead(process, one, (task.status, task.role))]
    return sorted(behind, key=lambda one: order.index(one.name))


def owed(task: Task) -> dict[str, list[str]]:
    """By the name of each move behind the task whose judgement was cleared, the fields that have to be said again. One
    that is paused is given as it is at its place.
    """
    process = task.definition
    settled = Settled(fields=task.fields, judgements=task.judgements, cleared={})
    return {
        rule.name: to_say_again(process, rule, settled)
        for rule in _lapsed(process, task.judgements)
        if not _lies_ahead(process, rule, (task.status, task.role))
    }


def is_open(task: Task, rule: Transition) -> bool:
    """Whether the task, at its place, can be moved by `rule` as far as its judgements say: an approval that holds is
    not revoked.
    """
    revoked = [task.definition.transitions[name] for name in rule.revokes]
    if not revoked or any(one.starts_from(task.status, task.role) for one in revoked):
        return True
    return not rule.revokes.isdisjoint(owed(task))


def newly_owed(before: Task, after: Task) -> list[str]:
    """The moves behind the task `after` a change whose judgement the change cleared; `before` is at its place."""
    known = {rule.name for rule in _lapsed(before.definition, before.judgements)}
    if after.status == BLOCKED:
        after = replace(after, status=before.status, role=before.role)
    return sorted(owed(after).keys() - known)


def said_again_by(task: Task, name: str) -> frozenset[str]:
    """Who says the field again from anywhere, as an approval or review behind the task consisted of it and was cleared;
    empty where none was. Its owner is whose turn it was then.
    """
    process = task.definition
    behind = [process.transitions[one] for one in owed(task)]
    moves = [rule for rule in behind if name in judging_fields(process, rule)]
    turns = {role for rule in moves for role in rule.of or _roles_at(process, rule)}
    writers = process.fields[name].writers if moves else frozenset()
    return writers - {OWNER} | (turns if OWNER in writers else set())


def to_say_again(process: Process, rule: Transition, settled: Settled) -> list[str]:
    """The fields of the judgement that `rule` once was which are empty, or were given for something else."""
    needed = [name for name in judging_fields(process, rule) if _is_needed(process, rule, name)]
    empty = [name for name in needed if not is_filled(settled.fields.get(name))]
    return sorted({*empty, *uncovered(process, rule, settled)})


def made(
    process: Process, rule: Transition, settled: Settled, *, by: str, again: Mapping[str, Mapping[str, str]]
) -> Settled:
    """`settled` with the judgement that the move `rule` is, given by `by`, and those that were given `again`."""
    digests, judgements, given = _Digests(settled.fields), dict(settled.judgements), list(settled.given)
    new = {name: one["by"] for name, one in again.items()}
    new |= {rule.name: by} if is_judgement(process, rule) else {}
    for name, giver in new.items():
        of = judged(process, process.transitions[name], settled.fields)
        judgements[_MOVE + name] = {"by": giver, "of": of, "digest": digests.of(of)}
        given.append(_MOVE + name)
    return replace(settled, judgements=judgements, given=given, renewed=again)


def changed_since(judgements: Mapping[str, Any], rule: Transition) -> list[str]:
    """Which fields were changed since `rule` was approved, as far as that was recorded."""
    return list(judgements.get(_MOVE + rule.name, {}).get("changed", ()))


def is_judgement(process: Process, rule: Transition) -> bool:
    """Whether a move is an approval or a review: the founder may decide of it, or somebody says what they think."""
    says = rule.decision or bool(rule.judges or judging_fields(process, rule))
    return rules_of(process).binds_judgements and not rule.leads_back and says


def judging_fields(process: Process, rule: Transition) -> list[str]:
    """The fields in which the judgement is said that the move takes."""
    taken = taken_by(process, rule)
    return [name for name, field in process.fields.items() if field.judges and name in taken]


def taken_by(process: Process, rule: Transition) -> frozenset[str]:
    """The fields that the move takes: it requires or needs them, or a gate of it reads them."""
    gates = rules_of(process).gates
    return rule.requires | rule.needs | {name for gate in rule.gates for name in gates[gate].reads}


def judged(process: Process, rule: Transition, fields: Mapping[str, Any]) -> list[str]:
    """The names of the fields that the move judges, of a task that holds `fields`."""
    if rule.judges:
        return sorted(rule.judges)
    work = {name for name, field in process.fields.items() if field.deliverable and name in fields}
    return sorted(work | process.creation.requires)


def held_digest(held: Mapping[str, str], names: Collection[str]) -> str:
    """The SHA-256 of what was judged: of the digest of each field's value, by its name."""
    text = json.dumps({name: held.get(name) for name in sorted(names)}, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Digests:
    """Digests of some fields of a task; each value is read once."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self._held: dict[str, str] = {}

    def of(self, names: Collection[str]) -> str:
        for name in names:
            if name in self._fields and name not in self._held:
                self._held[name] = value_digest(self._fields[name])
        return held_digest(self._held, names)


def _changed(task: Task, key: str, digests: _Digests) -> list[str]:
    """What a judgement judged and a change changes; empty where it holds for what there is after the change."""
    entry = _entry(task, key)
    if entry["digest"] == digests.of(entry["of"]):
        return []
    before = _Digests(task.fields)
    # What was changed past the engine has no field that is named for it.
    return [name for name in entry["of"] if before.of([name]) != digests.of([name])] or list(entry["of"])


def _entry(task: Task, key: str) -> dict[str, Any]:
    """What stands for a judgement; for one that was given before that was recorded, all that it may be about."""
    if key in task.judgements:
        return dict(task.judgements[key])
    of = _judged_at(task, key, task.fields, ())
    return {"by": "", "of": of, "digest": _Digests(task.fields).of(of)}


def _judged_at(task: Task, name: str, fields: Mapping[str, Any], lapsed: Collection[str]) -> list[str]:
    """What a judgement judges that is given where the task is: what the moves judge that start from here or were
    cleared, and that it is said for; else what any move judges that it is said for.
    """
    process = task.definition
    moves = [rule for rule in process.transitions.values() if name in judging_fields(process, rule)]
    near = [rule for rule in moves if rule.starts_from(task.status, task.role) or rule.name in lapsed]
    return sorted({one for rule in near or moves for one in judged(process, rule, fields)})


def _covers(entry: Mapping[str, Any] | None, of: Collection[str], digests: _Digests) -> bool:
    return entry is not None and entry["digest"] == digests.of(entry["of"]) and set(of) <= set(entry["of"])


def _lapsed(process: Process, judgements: Mapping[str, Any]) -> Iterator[Transition]:
    for key, entry in judgements.items():
        name = key.removeprefix(_MOVE)
        if name != key and not entry["digest"] and name in process.transitions:
            yield process.transitions[name]


def _is_needed(process: Process, rule: Transition, name: str) -> bool:
    """Whether the move cannot be made without the field: a gate may do without what it reads."""
    gates = rules_of(process).gates
    return name in rule.needs | rule.requires or any(
        gates[gate].questions and name in gates[gate].reads for gate in rule.gates
    )


def _roles_at(process: Process, rule: Transition) -> set[str]:
    return {role for status in rule.from_ if status != BLOCKED for role in process.status(status).roles}


def _completes(process: Process, rule: Transition) -> bool:
    return process.status(rule.to).outcome == "completed"


def _lies_ahead(process: Process, rule: Transition, position: Position) -> bool:
    """Whether the move can still be made on the way on from there: then its judgement is given anew."""
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

"""Validation of a process: every name is declared, and every position can be reached and left."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.workflow.processes.process import (
    BLOCKED,
    OWNER,
    ActorKind,
    Field,
    FieldKind,
    Outcome,
    Process,
    Transition,
)
from frasier.workflow.processes.task_rules import rules_of

Position = tuple[str, str]
"""A status and the role that must act next."""

# The status of a claimed task in every process: the engine, its recovery and its schema rely on it.
_LEASED = "active"


def find_faults(process: Process) -> list[str]:
    """Return the faults of a table, in words; empty for a valid one.

    In a valid table every name is declared, every position can be reached and left, and what the engine does by
    itself (claim, release, fail, cancel, retry) is possible wherever it may have to be done.
    """
    unknown = [*_unknown_names(process), *_unknown_fields(process), *_creation_faults(process)]
    return unknown or [*_position_faults(process), *_status_faults(process), *_missing_moves(process)]


def _unknown_names(process: Process) -> Iterator[str]:
    known = process.statuses.keys()
    if process.initial not in known:
        yield f"the initial status {process.initial} is unknown"
    if process.claim not in process.transitions:
        yield f"the claim {process.claim} is unknown"
    for move in process.transitions.values():
        for name in sorted(move.from_ - known - {BLOCKED}):
            yield f"{move.name} starts from the unknown status {name}"
        if move.to not in known:
            yield f"{move.name} leads to the unknown status {move.to}"
        elif move.role and not move.role_field and move.role not in process.status(move.to).roles:
            yield f"{move.name} leads to {move.to} with {move.role}, which cannot act there"
        if not move.actors:
            yield f"nobody may {move.name}"
        for name in sorted(move.actors - set(ActorKind) - process.roles - {OWNER}):
            yield f"{move.name} may be made by the unknown {name}"
        for name in sorted(move.revokes - process.transitions.keys()):
            yield f"{move.name} revokes the unknown move {name}"
        for name in sorted(move.of - process.roles):
            yield f"{move.name} starts with the unknown role {name}"


def _unknown_fields(process: Process) -> Iterator[str]:
    """Yield the faults in the fields: a field that is required must be one that somebody can fill."""
    gates = rules_of(process).gates
    for move in process.transitions.values():
        named = (
            move.requires
            | move.needs
            | move.clears
            | move.judges
            | ({move.role_field} if move.role_field else set())
        )
        for name in sorted(named - process.fields.keys()):
            yield f"{move.name} names the unknown field {name}"
        for gate in move.gates:
            if gate not in gates:
                yield f"{move.name} names the unknown gate {gate}"
            else:
                for name in sorted(set(gates[gate].reads) - process.fields.keys()):
                    yield f"the gate {gate} of {move.name} reads {name}, which nobody can fill"
        if move.judges and move.leads_back:
            yield f"{move.name} leads back and judges something, on which nothing relies"
        if move.role_field and move.role_field not in move.requires:
            yield f"{move.name} does not require {move.role_field}, which says who acts next"
    for name, field in process.fields.items():
        for writer in sorted(field.writers - set(ActorKind) - process.roles - {OWNER}):
            yield f"the field {name} may be written by the unknown {writer}"
        if field.with_move and not any(name in move.requires for move in process.transitions.values()):
            yield f"the field {name} is set with a move, but no move requires it"
        if field.own_words and not (field.writers and field.kind is FieldKind.TEXT):
            yield f"the field {name} is in its writer's own words, but it is not a text, or nobody may fill it"


def _creation_faults(process: Process) -> Iterator[str]:
    creation = process.creation
    if process.initial not in process.statuses:
        return
    for role in sorted(set(creation.roles) - set(process.status(process.initial).roles)):
        yield f"a task cannot begin with {role}"
    for name in sorted(creation.actors - set(ActorKind) - process.roles):
        yield f"it may be created by the unknown {name}"
    for name in sorted((process.blockers | process.restorers) - process.roles):
        yield f"the unknown {name} may block or restore"
    for name in sorted(creation.requires - process.fields.keys()):
        yield f"creation requires the unknown field {name}"
    for name in sorted(creation.requires & process.fields.keys()):
        for creator in sorted(creation.actors):
            if not _can_fill_when_creating(process, process.fields[name], creator):
                yield f"it may be created by {creator}, who may not fill {name}, which creation requires"


def _can_fill_when_creating(process: Process, field: Field, creator: str) -> bool:
    """Return whether the creator of a task may fill the field of a new one, whichever role acts first."""
    if field.with_move:
        return False
    if creator == ActorKind.FOUNDER:
        return bool(field.writers)
    return creator in field.writers or (OWNER in field.writers and set(process.creation.roles) == {creator})


def positions_after(process: Process, move: Transition, position: Position) -> set[Position]:
    """Return the positions to which a move leads from a position; empty if it does not start there."""
    status, role = position
    if not move.starts_from(status, role):
        return set()
    roles = process.status(move.to).roles
    if move.role_field:
        return {(move.to, named) for named in roles}
    if move.role:
        return {(move.to, move.role)}
    return {(move.to, roles[0] if len(roles) == 1 else role)}


def reachable(process: Process) -> set[Position]:
    """Return every position that a task can reach, except pauses, which lead back to where they began."""
    reached = {(process.initial, role) for role in process.status(process.initial).roles}
    ahead = list(reached)
    while ahead:
        here = ahead.pop()
        for move in process.transitions.values():
            new = positions_after(process, move, here) - reached
            reached |= new
            ahead += new
    return reached


def _position_faults(process: Process) -> Iterator[str]:
    reached = reachable(process)
    for status in process.statuses.values():
        for role in status.roles:
            if (status.name, role) not in reached:
                yield f"{status.name} with {role} cannot be reached"
    for status_name, role in sorted(reached):
        if role not in process.status(status_name).roles:
            yield f"{status_name} can be reached with {role}, which cannot act there"
    ending = {position for position in reached if process.status(position[0]).terminal}
    while (
        more := {
            here
            for here in reached
            for move in process.transitions.values()
            if positions_after(process, move, here) & ending
        }
        - ending
    ):
        ending |= more
    for status_name, role in sorted(reached - ending):
        yield f"{status_name} with {role} has no way to an end"


def _status_faults(process: Process) -> Iterator[str]:
    claim = process.claim_transition
    ends = {status.name for status in process.statuses.values() if status.terminal}
    for status in process.statuses.values():
        if not status.roles:
            yield f"nobody acts at {status.name}"
        if status.name == BLOCKED:
            yield f"{BLOCKED} is the engine's own status"
        if status.claimable != (status.name in claim.from_):
            yield f"{status.name} must be claimable if, and only if, {claim.name} starts from it"
        if status.claimable and (status.terminal or status.name == _LEASED):
            yield f"{status.name} cannot be claimable"
    for outcome in (Outcome.COMPLETED, Outcome.CANCELLED):
        if not any(status.outcome is outcome for status in process.statuses.values()):
            yield f"no status means {outcome}"
    for move in process.transitions.values():
        if (move.to == _LEASED) != (move is claim):
            yield f"{move.name}: the claim, and nothing else, leads to {_LEASED}"
        fails = process.status(move.to).outcome is Outcome.FAILED
        if fails and "reason" not in move.requires:
            yield f"{move.name} fails a task, but does not require a reason"
        if move.from_ & ends and not move.reopens:
            yield f"{move.name} starts from an ended task, but does not declare that it reopens it"
        if move.reopens and (process.status(move.to).terminal or not move.from_ <= ends):
            yield f"{move.name} declares that it reopens a task, but does not lead from an ended one to an open one"


def _missing_moves(process: Process) -> Iterator[str]:
    """Yield the moves that the engine makes itself and the table lacks; without them it cannot recover, cascade or
    cancel.
    """
    statuses = process.statuses.values()
    still_open = {status.name for status in statuses if not status.terminal} | {BLOCKED}
    claimable = {status.name for status in statuses if status.claimable}
    failed = {status.name for status in statuses if status.outcome is Outcome.FAILED}
    cancelled = {status.name for status in statuses if status.outcome is Outcome.CANCELLED}
    needed = [
        (process.claim, claimable, {_LEASED}, set()),
        ("release", {_LEASED}, claimable, {ActorKind.SYSTEM}),
        ("cancel", still_open, cancelled, {ActorKind.SYSTEM, ActorKind.FOUNDER}),
    ]
    if failed:  # then dependants of a failed task fail too, and can be retried
        needed.append(("fail", still_open, failed, {ActorKind.SYSTEM}))
        needed.append(("retry", failed | cancelled, claimable, {ActorKind.FOUNDER}))
    for name, from_, to, actors in needed:
        move = process.transitions.get(name)
        if move is None:
            yield f"the move {name} is missing"
        elif missing := sorted(from_ - move.from_):
            yield f"{name} does not start from {', '.join(missing)}"
        elif move.of:
            yield f"{name} does not start with every role"
        elif move.to not in to:
            yield f"{name} leads to {move.to}, not to {' or '.join(sorted(to))}"
        elif missing_actors := sorted(actors - move.actors):
            yield f"{name} is closed to {', '.join(missing_actors)}"

"""What makes a process sound: every name is declared, every position can be reached and left, nothing is forgotten."""

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

# What the engine, its recovery and its schema build on, whatever else a process declares.
_LEASED = "active"


def find_holes(process: Process) -> list[str]:
    """What is wrong with a table, in words; an empty list for a sound one.

    Sound means: every name is declared, every position can be reached and left, and what the engine does by itself
    (claim, release, fail, cancel, retry) is possible wherever it may have to be done.
    """
    unknown = [*_unknown_names(process), *_unknown_fields(process), *_wrong_creation(process)]
    return unknown or [*_lost_positions(process), *_wrong_statuses(process), *_missing_moves(process)]


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
    """A field that is required must be one that somebody can fill."""
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
            yield f"{move.name} leads back and judges something, which nothing relies on"
        if move.role_field and move.role_field not in move.requires:
            yield f"{move.name} does not require {move.role_field}, which says who acts next"
    for name, field in process.fields.items():
        for writer in sorted(field.writers - set(ActorKind) - process.roles - {OWNER}):
            yield f"the field {name} may be written by the unknown {writer}"
        if field.with_move and not any(name in move.requires for move in process.transitions.values()):
            yield f"the field {name} is said with a move, and no move requires it"
        if field.own_words and not (field.writers and field.kind is FieldKind.TEXT):
            yield f"the field {name} is said in nobody's own words: it is no text, or nobody may fill it"


def _wrong_creation(process: Process) -> Iterator[str]:
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
        for maker in sorted(creation.actors):
            if not _fills_from_the_start(process, process.fields[name], maker):
                yield f"it may be created by {maker}, who may not fill {name}, which creation requires"


def _fills_from_the_start(process: Process, field: Field, maker: str) -> bool:
    """Whether who may make a task may fill the field of a new one, whoever acts first."""
    if field.with_move:
        return False
    if maker == ActorKind.FOUNDER:
        return bool(field.writers)
    return maker in field.writers or (OWNER in field.writers and set(process.creation.roles) == {maker})


def positions_after(process: Process, move: Transition, position: Position) -> set[Position]:
    """Where a move leads to from a position; nowhere where it does not start from there."""
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
    """Every position that a task can come to, pauses apart: they lead back to where they began."""
    reached = {(process.initial, role) for role in process.status(process.initial).roles}
    ahead = list(reached)
    while ahead:
        here = ahead.pop()
        for move in process.transitions.values():
            new = positions_after(process, move, here) - reached
            reached |= new
            ahead += new
    return reached


def _lost_positions(process: Process) -> Iterator[str]:
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


def _wrong_statuses(process: Process) -> Iterator[str]:
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
            yield f"{move.name} fails without a reason"
        if move.from_ & ends and not move.reopens:
            yield f"{move.name} moves what is over, and does not say that it reopens it"
        if move.reopens and (process.status(move.to).terminal or not move.from_ <= ends):
            yield f"{move.name} reopens what is not over, or leaves it over"


def _missing_moves(process: Process) -> Iterator[str]:
    """The moves that the engine itself makes, and from where: else it could not recover, cascade or cancel."""
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
    if failed:  # then it is what becomes of those that wait for it in vain, and can be tried again
        needed.append(("fail", still_open, failed, {ActorKind.SYSTEM}))
        needed.append(("retry", failed | cancelled, claimable, {ActorKind.FOUNDER}))
    for name, from_, to, actors in needed:
        move = process.transitions.get(name)
        if move is None:
            yield f"there is no {name}"
        elif missing := sorted(from_ - move.from_):
            yield f"{name} does not start from {', '.join(missing)}"
        elif move.of:
            yield f"{name} does not start with every role"
        elif move.to not in to:
            yield f"{name} leads to {move.to}, not to {' or '.join(sorted(to))}"
        elif lacking := sorted(actors - move.actors):
            yield f"{name} is closed to {', '.join(lacking)}"

"""All operations of the organisation by name."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.interfaces.operations import AnyOperation, operations_of
from frasier.interfaces.operations.organisation import (
    costs,
    deliverables,
    directives,
    events,
    improvements,
    messages,
    mission_page,
    missions,
    outbox,
    people,
    personas,
    policies,
    post_mortem,
    routines,
    runs,
    shares,
    skill_packages,
    skills,
    staff,
    status,
    steps,
    subscriptions,
    telemetry,
    upskilling,
    waiting,
    waiting_answers,
)

ORGANISATION_OPERATIONS: Mapping[str, AnyOperation] = operations_of(
    status,
    waiting,
    waiting_answers,
    missions,
    mission_page,
    runs,
    steps,
    deliverables,
    shares,
    messages,
    people,
    staff,
    personas,
    upskilling,
    skill_packages,
    skills,
    directives,
    policies,
    routines,
    improvements,
    costs,
    telemetry,
    post_mortem,
    events,
    outbox,
    subscriptions,
)

"""PostgreSQL: the only store, and the only way to it."""

from frasier.store.database import Database, Tx
from frasier.store.events import (
    Event,
    SealKey,
    Verification,
    append_event,
    events_after,
    events_of,
    seal_events,
    verify_events,
)
from frasier.store.lease import drop_lease, take_lease
from frasier.store.migrate import known_migrations, migrate
from frasier.store.outbox import (
    Channel,
    Effect,
    EffectState,
    Outbox,
    effects_of,
    enqueue_effect,
    open_effects,
    resend_effect,
)
from frasier.store.statements import Statements, parse_statements
from frasier.store.wakeup import Wakeup, notify

__all__ = [
    "Channel",
    "Database",
    "Effect",
    "EffectState",
    "Event",
    "Outbox",
    "SealKey",
    "Statements",
    "Tx",
    "Verification",
    "Wakeup",
    "append_event",
    "drop_lease",
    "effects_of",
    "enqueue_effect",
    "events_after",
    "events_of",
    "known_migrations",
    "migrate",
    "notify",
    "open_effects",
    "parse_statements",
    "resend_effect",
    "seal_events",
    "take_lease",
    "verify_events",
]

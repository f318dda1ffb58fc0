"""PostgreSQL: the only store, and the only way to it."""

from frasier.store.address import check_address, mask_address
from frasier.store.connection import check_direct, connect
from frasier.store.database import Database
from frasier.store.deferred import Connection, Tx
from frasier.store.effects import (
    SENDER_GONE,
    Effect,
    EffectState,
    effects_of,
    enqueue_effect,
    open_effects,
    resend_effect,
)
from frasier.store.events import (
    Event,
    Place,
    append_event,
    current_place,
    events_of,
    events_of_each,
    events_since,
    make_event_partitions,
    newest_events,
)
from frasier.store.home import close_home
from frasier.store.inspection import (
    Condition,
    EventGuard,
    condition_of,
    event_guard,
    latest_effects,
    lease_holders,
)
from frasier.store.lease import drop_lease, hold_lease, take_lease
from frasier.store.migrate import known_migrations, migrate
from frasier.store.outbox import Channel, Outbox
from frasier.store.sealing import (
    SealKey,
    Verification,
    accept_lost_seals,
    seal_events,
    seal_trail,
    verify_events,
    verify_trail,
)
from frasier.store.statements import Statements, parse_statements
from frasier.store.wakeup import Wakeup, notify

__all__ = [
    "SENDER_GONE",
    "Channel",
    "Condition",
    "Connection",
    "Database",
    "Effect",
    "EffectState",
    "Event",
    "EventGuard",
    "Outbox",
    "Place",
    "SealKey",
    "Statements",
    "Tx",
    "Verification",
    "Wakeup",
    "accept_lost_seals",
    "append_event",
    "check_address",
    "check_direct",
    "close_home",
    "condition_of",
    "connect",
    "current_place",
    "drop_lease",
    "effects_of",
    "enqueue_effect",
    "event_guard",
    "events_of",
    "events_of_each",
    "events_since",
    "hold_lease",
    "known_migrations",
    "latest_effects",
    "lease_holders",
    "make_event_partitions",
    "mask_address",
    "migrate",
    "newest_events",
    "notify",
    "open_effects",
    "parse_statements",
    "resend_effect",
    "seal_events",
    "seal_trail",
    "take_lease",
    "verify_events",
    "verify_trail",
]

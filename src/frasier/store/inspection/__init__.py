"""Read-only inspection of the store for its operator: its condition, and lists that no other part needs."""

from frasier.store.inspection.condition import (
    Condition,
    EventGuard,
    condition_of,
    event_guard,
)
from frasier.store.inspection.listing import latest_effects, lease_holders

__all__ = [
    "Condition",
    "EventGuard",
    "condition_of",
    "event_guard",
    "latest_effects",
    "lease_holders",
]

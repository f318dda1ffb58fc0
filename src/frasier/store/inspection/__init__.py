"""Read-only inspection of the store for its operator: its condition, effects and leases."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.store.inspection.health import (
        Condition as Condition,
        EventGuard as EventGuard,
        condition_of as condition_of,
        event_guard as event_guard,
    )
    from frasier.store.inspection.lists import (
        latest_effects as latest_effects,
        lease_holders as lease_holders,
    )
else:
    lazy_exports(__name__)

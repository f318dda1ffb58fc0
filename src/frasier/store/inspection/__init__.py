"""Read-only inspection of the store for its operator: its condition, effects and leases."""

"""The channel of PostgreSQL on which workers hear of ready tasks."""

READY_CHANNEL = "frasier_ready"
"""The channel that is notified when tasks became ready."""

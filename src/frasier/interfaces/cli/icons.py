"""The signs and colours by which a state is known at a glance, on every screen the same."""

from __future__ import annotations

MARKS = {
    # Tasks.
    "pending": ("·", "dim"),
    "active": ("▶", "bold cyan"),
    "in_review": ("◇", "yellow"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "cancelled": ("–", "dim"),
    "blocked": ("■", "bold magenta"),
    # Missions, where they have other states than tasks.
    "planning": ("▶", "bold cyan"),
    "in_progress": ("▶", "bold cyan"),
    "paused": ("‖", "magenta"),
    "delivered": ("✓", "green"),
    # Reviews.
    "approved": ("✓", "green"),
    "rejected": ("✗", "red"),
    "withdrawn": ("–", "dim"),
    # Effects.
    "sending": ("▶", "cyan"),
    "sent": ("✓", "green"),
    "unknown": ("?", "yellow"),
    # Checks.
    "ok": ("✓", "green"),
    "warn": ("!", "yellow"),
    "fail": ("✗", "bold red"),
    "skipped": ("–", "dim"),
}
"""The mark and the style of each state."""

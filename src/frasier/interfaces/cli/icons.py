"""The icons and colours of states, the same on every screen."""

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
    "lost": ("!", "yellow"),
    # Missions, for states that tasks do not have.
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
"""Icon and style of each state."""

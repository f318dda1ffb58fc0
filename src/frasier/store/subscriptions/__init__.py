"""Subscriptions to events: each event becomes one effect of each subscription, delivered at least once and in order."""

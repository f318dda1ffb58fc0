"""Transitions: one guarded move of a task, and what it relies on."""

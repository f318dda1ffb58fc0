"""Leases: claims of tasks, kept by a heartbeat, and tasks tried again."""

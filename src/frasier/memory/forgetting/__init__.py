"""Forgetting: memories of events fade unless used or reviewed, facts do not, and nothing is deleted."""

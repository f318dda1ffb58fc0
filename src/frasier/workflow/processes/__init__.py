"""Processes: tables of positions and transitions, loaded and validated, with the rules of their task groups."""

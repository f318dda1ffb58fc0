"""Processes: tables of positions and transitions, read and checked, with the rules of the groups that follow them."""

"""The external memory: a team's own memory service, in which a move is documented before it happens.

    health (3 s) → intent, kept here → contribution (5 s, with a key) → the local commit

Whatever fails on the way refuses the move. Blocking, restoring and reading never ask it.
"""

"""Sizes of the measurements: enough for reliable figures, or just enough to see that everything runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """`moves` tasks are moved twice each; `claims` tasks are claimed in each of `rounds` rounds by all sessions;
    `backlog` tasks lie there while `backlog_claims` are claimed; `requests` is how often each is sent over HTTP;
    `starts` is how often a program is started,
    `servers` how often a database is made, `missions` how often a whole mission is run; `idle_s` is how long a
    process rests before its memory is read; `memories` are the numbers of memories at which their engine is asked
    `questions` and saves `saves` more, beside its `peers` where they are wanted; `quiet_s` is how long each measure
    waits at most for a quiet machine, which is looked at for `look_s`.
    """

    moves: int
    claims: int
    rounds: int
    backlog: int
    backlog_claims: int
    requests: int
    starts: int
    servers: int
    missions: int
    idle_s: float
    memories: tuple[int, ...]
    questions: int
    saves: int
    peers: bool
    quiet_s: float
    look_s: float


FULL = Sizes(
    moves=600,
    claims=2_000,
    rounds=3,
    backlog=100_000,
    backlog_claims=500,
    requests=500,
    starts=21,
    servers=5,
    missions=3,
    idle_s=8.0,
    memories=(10_000, 100_000),
    questions=300,
    saves=200,
    peers=False,
    quiet_s=30.0,
    look_s=1.0,
)
QUICK = Sizes(
    moves=20,
    claims=64,
    rounds=1,
    backlog=2_000,
    backlog_claims=20,
    requests=10,
    starts=1,
    servers=1,
    missions=1,
    idle_s=0.5,
    memories=(500,),
    questions=20,
    saves=5,
    peers=False,
    quiet_s=0.0,
    look_s=0.1,
)

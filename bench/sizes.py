"""Sizes of the measurements: large enough for reliable figures, or just enough to check that everything runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of one run.

    `moves` tasks are moved twice each. All sessions together claim `claims` tasks in each of `rounds` rounds.
    `backlog` tasks exist while `backlog_claims` are claimed. Each HTTP request is sent `requests` times, each
    program started `starts` times, a database server created `servers` times, a mission run `missions` times,
    others over a model that takes `call_s` for each answer. A process is idle for `idle_s` before its memory is
    read. The page is measured with `page_missions` missions, `page_tasks` tasks of a board and `page_events` events;
    each page is loaded `page_loads` times, an open page hears of `page_changes` events, and a day of open pages has
    `page_visits` of them. The memory engine is measured at each size in `memories`, with `questions` recalls and
    `saves` saves; with `peers`, other stores too. Each measurement waits at most `quiet_s` for a quiet machine, whose
    load is read over `load_probe_s`.
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
    call_s: float
    idle_s: float
    page_missions: int
    page_tasks: int
    page_events: int
    page_loads: int
    page_changes: int
    page_visits: int
    memories: tuple[int, ...]
    questions: int
    saves: int
    peers: bool
    quiet_s: float
    load_probe_s: float


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
    call_s=2.0,
    idle_s=8.0,
    page_missions=1_000,
    page_tasks=2_000,
    page_events=1_000_000,
    page_loads=20,
    page_changes=60,
    page_visits=500,
    memories=(10_000, 100_000),
    questions=300,
    saves=200,
    peers=False,
    quiet_s=30.0,
    load_probe_s=1.0,
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
    call_s=0.2,
    idle_s=0.5,
    page_missions=20,
    page_tasks=20,
    page_events=2_000,
    page_loads=1,
    page_changes=9,
    page_visits=60,
    memories=(500,),
    questions=20,
    saves=5,
    peers=False,
    quiet_s=0.0,
    load_probe_s=0.1,
)

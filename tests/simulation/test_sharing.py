"""Many hands and much dead wood: workers share a mission's parallel steps, and stuck steps delay nobody."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import psycopg

from frasier.kernel.ids import new_id
from frasier.store import Statements
from frasier.store.embedded import EmbeddedServer
from support.crash import Drill, connect_for_checks, poll
from support.mission_invariants import Summary, check_invariants
from support.warm_start import WarmStart

STUCK = 1_000
_PROCESSES = {
    "processes": ["planning", "mission_step", "review"],
    "statuses": ["active"] * 3,
    "roles": ["worker"] * 3,
}


def test_two_workers_share_the_parallel_steps_of_a_mission(
    warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(warm, tmp_path, database_url)
    drill.run("plan.committed:kill").until_killed()
    workers = [drill.work("claim.committed:stop") for _ in range(2)]
    for worker in workers:
        worker.until_stopped()
    with connect_for_checks(database_url) as connection:
        leased = connection.execute(
            "select slug, lease_owner from workflow_tasks where lease_until > now()"
        ).fetchall()
    held = {row["slug"]: f"worker:{row['lease_owner']}" for row in leased}
    assert len(held) == len(set(held.values())) == 2

    for worker in workers:
        worker.wake()
    poll(lambda: _is_completed(database_url), "the mission's completion")
    for worker in workers:
        worker.send(signal.SIGTERM)
    assert [worker.until_ended().code for worker in workers] == [0, 0]

    published = drill.resume().until_ended()
    assert published.code == 0, published
    mission = published.report["mission"]
    assert check_invariants(drill, database_url, mission) == undisturbed
    claims = {claim["slug"]: claim["actor"] for claim in _claims(database_url, mission)}
    assert {slug: claims[slug] for slug in held} == held
    assert len(claims) == len(_claims(database_url, mission)), "each task was claimed once"


def test_a_dead_mission_with_a_thousand_stuck_steps_does_not_delay_a_live_one(
    warm: WarmStart,
    server: EmbeddedServer,
    database_name: str,
    database_url: str,
    tmp_path: Path,
    undisturbed: Summary,
) -> None:
    drill = Drill(warm, tmp_path, database_url)
    dead = drill.run("plan.committed:kill")  # founds the organisation, and leaves a mission with three steps
    dead.until_killed()
    with psycopg.connect(server.url("postgres", database_name), autocommit=True) as connection:
        _let_die(connection)
        _add_stuck_steps(connection)
        connection.execute("analyze workflow_tasks")

    ended = drill.run().until_ended()

    assert ended.code == 0, ended
    mission = ended.report["mission"]
    assert check_invariants(drill, database_url, mission) == undisturbed
    claims = _claims(database_url, mission)
    with connect_for_checks(database_url) as connection:
        tasks = connection.execute(
            "select count(*) as n from workflow_tasks where group_id = %s", [mission]
        ).fetchall()
        assert len(claims) == tasks[0]["n"], "no claim came to nothing"
        assert _claims_elsewhere(connection, mission) == 1, "only the dead mission's plan was ever claimed"
        plan = _plan_of_a_claim(connection)
    assert "workflow_tasks_ready" in plan
    assert "Seq Scan" not in plan


def _is_completed(url: str) -> bool:
    with connect_for_checks(url) as connection:
        return bool(connection.execute("select from org_missions where status = 'completed'").fetchall())


def _claims(url: str, mission: str) -> list[dict[str, Any]]:
    with connect_for_checks(url) as connection:
        return connection.execute(
            "select t.slug, e.actor from events e join workflow_tasks t on t.id = e.stream"
            " where e.kind = 'task.start' and t.group_id = %s",
            [mission],
        ).fetchall()


def _claims_elsewhere(connection: psycopg.Connection[dict[str, Any]], mission: str) -> int:
    rows = connection.execute(
        "select count(*) as n from events e join workflow_tasks t on t.id = e.stream"
        " where e.kind = 'task.start' and t.group_id <> %s",
        [mission],
    ).fetchall()
    return int(rows[0]["n"])


def _let_die(connection: psycopg.Connection[Any]) -> None:
    """The dead mission's own steps: one failed, and what builds on it waits for ever."""
    connection.execute(
        "update workflow_tasks set status = 'failed', claimable = false, failure = 'it is dead', ended_at = now(),"
        " outcome = 'failed'"
        " where process = 'mission_step' and pending_deps = 0"
    )


def _add_stuck_steps(connection: psycopg.Connection[Any]) -> None:
    """As many again, of every kind of stuck: blocked, failed, held, and waiting for what failed."""
    connection.execute(
        "insert into workflow_tasks (id, process, slug, title, group_id, status, role, priority, claimable, held,"
        " pending_deps, failure, ended_at, outcome, run_after)"
        " select gen_random_uuid(), 'mission_step', 'stuck-' || n, 'Stuck', m.id,"
        " case n %% 4 when 0 then 'blocked' when 1 then 'failed' else 'pending' end, 'worker', 9, n %% 4 > 1, n %% 4 = 2,"
        " (n %% 4 = 3)::int, case n %% 4 when 1 then 'it is dead' end, case n %% 4 when 1 then now() end,"
        " case n %% 4 when 1 then 'failed' end,"
        " now() - interval '1 day'"
        " from generate_series(1, %s) n, org_missions m",
        [STUCK],
    )
    connection.execute(
        "insert into workflow_blocks (task_id, status, role, reasons)"
        " select id, 'active', 'worker', '[{\"reason\": \"it is dead\"}]' from workflow_tasks where status = 'blocked'"
    )
    connection.execute(
        "insert into workflow_dependencies (task_id, depends_on, kind)"
        " select w.id, f.id, 'blocks' from (select id, row_number() over () as n from workflow_tasks"
        " where slug like 'stuck-%%' and pending_deps = 1) w"
        " join (select id, row_number() over () as n from workflow_tasks where slug like 'stuck-%%' and status = 'failed') f"
        " using (n)"
    )


def _plan_of_a_claim(connection: psycopg.Connection[dict[str, Any]]) -> str:
    claim = Statements("frasier.workflow").by_name["claim_ready"]
    rows = connection.execute(
        "explain (format json) " + claim,
        {
            **_PROCESSES,
            "worker": str(new_id()),
            "lease_s": 1.0,
            "limit": 3,
            "group_id": None,
            "except_groups": [],
        },
    ).fetchall()
    return json.dumps(rows)

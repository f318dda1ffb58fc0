"""Sessions that race for one task, one decision, one restore: one wins, the others are told, and write nothing.

A race is made sure of: what all of them will want is held until each has read the same state and waits for it.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import psycopg
import pytest
from psycopg.errors import DeadlockDetected, SerializationFailure

from frasier.board import ApprovalMode, DecisionNeeded, FoundLink, get_board, set_mode
from frasier.kernel.errors import LeaseLost, Refused, Stale, StoreError, TransitionRefused
from frasier.store import Database
from frasier.workflow import FOUNDER, processes, recover_expired
from support.board import wait_for_lock
from support.board_invariants import find_violations, state_of
from support.board_team import BOARD, DESIGN, Team, open_team
from support.board_walk import Asked, prepare_move, task_of

TASK = "select from workflow_tasks where slug = 'tea' for no key update"
# Which of them is first to wait; the slow ones are there because that is not all that decides.
TURNS = [0, 1, *(pytest.param(turn, marks=pytest.mark.slow) for turn in range(2, 8))]
UNSEEN = "https://example.org/never-seen.md"
DECISION = "select from board_decisions for no key update"


@pytest.fixture
async def wide(database_url):
    """A pool in which nobody waits for a connection."""
    async with Database(database_url, connections=16) as database:
        yield database


@pytest.fixture
async def team(wide, tmp_path):
    async with open_team(wide) as team:
        yield team
    assert await find_violations(wide, tmp_path / "seal.key") == []


def act(team: Team, asked: Asked) -> Callable[[], Awaitable[Any]]:
    who, tool, arguments = asked
    return lambda: team(who, tool, **arguments)


async def race(db: Database, held: str, acts: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """What came of each, who all had read the same when the first of them could write."""
    async with db.transaction() as tx:
        await tx.execute(held)
        running = [asyncio.ensure_future(one()) for one in acts]
        await wait_for_lock(db, len(running))
    return await asyncio.gather(*running, return_exceptions=True)


def one_won(ended: list[Any], *losers: type[Refused]) -> int:
    """Which; the others got a clear answer."""
    [won] = [place for place, one in enumerate(ended) if not isinstance(one, BaseException)]
    for one in ended:
        if isinstance(one, BaseException):
            assert type(one) in (losers or (Stale,)), repr(one)
            assert one.message
            assert one.kept
            assert one.hint or one.advice
    return won


async def moves_of(db: Database, slug: str) -> tuple[int, int]:
    state = await state_of(db, slug)
    return state["task"]["version"], len(state["markers"])


async def sent_back(team: Team) -> str:
    """A task that any developer can take."""
    await team.built("tea")
    asked = await prepare_move(team, "tea", "send_back")
    await team(asked[0], asked[1], **asked[2])
    return "tea"


@pytest.mark.parametrize("turn", TURNS)
async def test_of_many_claims_one_holds(team, wide, turn):
    task = await sent_back(team)
    takers = ["dan", "dora"] * 3
    said = [{"task": task, "memory_query_session": await team.asked(who)} for who in takers]
    version, markers = await moves_of(wide, task)
    ended = await race(
        wide,
        TASK,
        [act(team, (who, "task_claim", given)) for who, given in zip(takers, said, strict=True)],
    )
    won = one_won(ended)
    state = await state_of(wide, task)
    assert state["task"]["lease_owner"].removeprefix("token:") == takers[won]
    assert state["task"]["fields"]["memory_query_session"] == said[won]["memory_query_session"]
    assert await moves_of(wide, task) == (version + 1, markers + 1)


async def asked_founder(team: Team, db: Database) -> tuple[Asked, str]:
    """A move that waits for the founder, and the decision's id."""
    async with db.transaction() as tx:
        await set_mode(tx, BOARD, ApprovalMode.MANUAL, seen=None, actor=FOUNDER)
    await team.designed("tea")
    asked = await prepare_move(team, "tea", "approve_design")
    await team.refused(asked[0], asked[1], **asked[2])
    [decision] = (await team("boss", "task_decisions"))["decisions"]
    return asked, decision["decision"]


async def test_of_many_answers_of_the_founder_one_counts(team, wide):
    _, decision = await asked_founder(team, wide)
    answers = [True, False] * 3
    ended = await race(
        wide,
        DECISION,
        [
            act(team, ("boss", "task_decide", {"decision": decision, "approve": yes, "comment": "So."}))
            for yes in answers
        ],
    )
    won = one_won(ended)
    [stored] = (await state_of(wide, "tea"))["decisions"]
    assert stored["answer"] == ("approved" if answers[won] else "rejected")


@pytest.mark.parametrize("held", [DECISION, TASK])
async def test_of_many_uses_of_one_approval_one_moves(team, wide, held):
    asked, decision = await asked_founder(team, wide)
    await team("boss", "task_decide", decision=decision, approve=True)
    told = len(team.told.news)
    version, markers = await moves_of(wide, "tea")
    ended = await race(wide, held, [act(team, asked)] * 4)
    one_won(ended)
    assert await moves_of(wide, "tea") == (version + 1, markers + 1)
    assert len(team.told.news) == told, "the founder is asked about what is done"


async def test_of_many_restores_one_restores(team, wide):
    await team.ready("tea")
    asked = await prepare_move(team, "tea", "block")
    await team(asked[0], asked[1], **asked[2])
    version, markers = await moves_of(wide, "tea")
    one_won(await race(wide, TASK, [act(team, await prepare_move(team, "tea", "restore"))] * 4))
    assert await team.place("tea") == ("ready", "pdsa")
    assert await moves_of(wide, "tea") == (version + 1, markers + 1)
    late = await team.refused("lia", "task_restore", task="tea")
    assert isinstance(late, TransitionRefused)
    assert late.hint or late.advice


@pytest.mark.parametrize("first", [0, 1])
async def test_of_a_pause_and_a_move_at_once_one_is_made(team, wide, first):
    await team.claim("anna", await team.ready("tea"))
    acts = [
        act(team, await prepare_move(team, "tea", "block")),
        act(team, await prepare_move(team, "tea", "submit_design")),
    ]
    won = one_won(await race(wide, TASK, acts[:: -1 if first else 1]), Stale, LeaseLost)
    assert (await team.place("tea"))[0] in {"blocked", "approval"}
    assert await team.place("tea") == (("blocked", "liaison"), ("approval", "liaison"))[won ^ first]


@pytest.mark.parametrize("first", [0, 1])
async def test_of_a_reopening_and_a_claim_of_what_needs_it_the_claim_is_first_or_waits(team, wide, first):
    await team.create("tea", role="liaison")
    for step in ("ready", "start", "submit_content", "complete"):
        who, tool, given = await prepare_move(team, "tea", step)
        await team(who, tool, **given)
    await team.ready("cup", needs=["tea"])
    acts = [
        act(team, await prepare_move(team, "tea", "reopen:liaison")),
        act(team, await prepare_move(team, "cup", "start")),
    ]
    order = -1 if first else 1
    reopened, claimed = (await race(wide, TASK.replace("tea", "cup"), acts[::order]))[::order]
    assert not isinstance(reopened, BaseException), reopened
    cup = (await state_of(wide, "cup"))["task"]
    assert (cup["pending_deps"], cup["ready"]) == (1, False)
    assert isinstance(claimed, Stale) is (cup["lease_owner"] is None)


async def test_of_many_reviews_that_stay_in_review_each_role_gives_one(team, wide):
    """The status is the same before and after: what was looked at is known by its version."""
    await team.built("tea")
    asked = await prepare_move(team, "tea", "pass_tests")
    version, markers = await moves_of(wide, "tea")
    one_won(await race(wide, TASK, [act(team, asked)] * 4))
    assert await team.place("tea") == ("review", "pdsa")
    assert await moves_of(wide, "tea") == (version + 1, markers + 1)


async def test_of_two_edits_of_one_version_one_is_kept(team, wide):
    await team.ready("tea")
    version = (await team("lia", "task_get", task="tea"))["version"]
    words = ["copper", "steel", "glass", "tin"]
    edits = [{"task": "tea", "version": version, "fields": {"constraints": word}} for word in words]
    won = one_won(await race(wide, TASK, [act(team, ("lia", "task_edit", edit)) for edit in edits]))
    assert (await team("lia", "task_get", task="tea"))["fields"]["constraints"] == words[won]


@pytest.mark.parametrize("turn", TURNS)
async def test_what_the_gates_and_the_founder_saw_is_what_is_moved(team, wide, turn):
    """Of an edit and a move by a decision at once one is made: an approval is for what was shown, and nothing else."""
    asked, decision = await asked_founder(team, wide)
    await team("boss", "task_decide", decision=decision, approve=True)
    version = (await team("lia", "task_get", task="tea"))["version"]
    edit = ("lia", "task_edit", {"task": "tea", "version": version, "fields": {"constraints": "No spout."}})
    acts = [act(team, asked), act(team, edit)][:: -1 if turn % 2 else 1]
    won = one_won(await race(wide, TASK, acts)) ^ (turn % 2)
    state = await state_of(wide, "tea")
    assert (
        bool(state["decisions"][0]["used_at"]) == (won == 0) == ("constraints" not in state["task"]["fields"])
    )
    assert state["task"]["status"] == ("approved" if won == 0 else "approval")


async def test_a_holder_whose_task_was_edited_meanwhile_still_holds_it(team, wide):
    """They are told to look again, not that their lease is lost; looking again, they hand on."""
    attempt = await team.claim("anna", await team.ready("tea"))
    submit = await prepare_move(team, "tea", "submit_design")
    version = (await team("lia", "task_get", task="tea"))["version"]
    edit = ("boss", "task_edit", {"task": "tea", "version": version, "fields": {"constraints": "No spout."}})
    async with wide.transaction() as tx:
        await tx.execute(TASK)
        editing = asyncio.ensure_future(act(team, edit)())
        await wait_for_lock(wide)
        moving = asyncio.ensure_future(act(team, submit)())
        await wait_for_lock(wide, 2)
    ended = await asyncio.gather(editing, moving, return_exceptions=True)
    one_won(ended)
    if isinstance(ended[1], Stale):
        await team.deliver("anna", "tea", attempt, pdsa_ref=DESIGN)
    assert await team.place("tea") == ("approval", "liaison")


@pytest.mark.parametrize("turn", TURNS)
async def test_a_dependency_that_is_completed_and_cancelled_at_once_frees_or_stops_what_waits(
    team, wide, turn
):
    await team.built("tea")
    await team.create("cup", needs=["tea"])
    for step in ("pass_tests", "pass_design"):
        asked = await prepare_move(team, "tea", step)
        await team(asked[0], asked[1], **asked[2])
    acts = [act(team, await prepare_move(team, "tea", step)) for step in ("complete", "cancel")]
    won = one_won(await race(wide, TASK, acts[:: -1 if turn % 2 else 1])) ^ (turn % 2)
    assert await team.place("cup") == (("pending", "pdsa"), ("blocked", "liaison"))[won]
    assert (await state_of(wide, "cup"))["task"]["pending_deps"] == (0, 1)[won]


@pytest.mark.parametrize("turn", TURNS)
async def test_a_task_that_is_moved_while_what_it_needs_is_cancelled_goes_one_way(team, wide, turn):
    """The cancelling pauses it wherever it is by then; whoever moves it is told where that came first."""
    await team.ready("tea")
    await team.create("cup", needs=["tea"])
    held = "select from workflow_tasks where slug = 'cup' for no key update"
    acts = [act(team, await prepare_move(team, slug, "cancel")) for slug in ("tea", "cup")][
        :: -1 if turn % 2 else 1
    ]
    ended = await race(wide, held, acts)
    assert await team.place("tea") == ("cancelled", "liaison")
    status, _ = await team.place("cup")
    lost = [one for one in ended if isinstance(one, BaseException)]
    assert [type(one) for one in lost] == ([Stale] if status == "blocked" else [])
    assert status in {"blocked", "cancelled"}


async def test_a_move_waits_for_a_change_of_the_mode_and_keeps_to_it(team, wide):
    await team.designed("tea")
    asked = await prepare_move(team, "tea", "approve_design")
    async with wide.transaction() as tx:
        await set_mode(tx, BOARD, ApprovalMode.MANUAL, seen=None, actor=FOUNDER)
        moving = asyncio.ensure_future(act(team, asked)())
        await wait_for_lock(wide)
    with pytest.raises(DecisionNeeded) as told:
        await moving
    assert told.value.kept
    assert told.value.hint or told.value.advice
    assert await team.place("tea") == ("approval", "liaison")


async def test_a_change_of_the_mode_waits_for_the_moves_that_go_by_the_old_one(team, wide):
    """Once the founder has changed it, nothing that goes by the old mode is made any more."""
    await team.designed("tea")
    asked = await prepare_move(team, "tea", "approve_design")

    async def stricter() -> None:
        async with wide.transaction() as tx:
            await set_mode(tx, BOARD, ApprovalMode.MANUAL, seen=None, actor=FOUNDER)

    async with wide.transaction() as tx:
        await tx.execute(TASK)
        moving = asyncio.ensure_future(act(team, asked)())
        await wait_for_lock(wide)
        changing = asyncio.ensure_future(stricter())
        await wait_for_lock(wide, 2)
    await asyncio.gather(moving, changing)
    async with wide.transaction() as tx:
        cursor = await tx.execute(
            "select kind from events where kind in ('task.approve_design', 'board.mode') order by id desc limit 2"
        )
        assert [row["kind"] for row in await cursor.fetchall()] == ["board.mode", "task.approve_design"]


async def test_of_two_changes_of_the_mode_one_counts(team, wide):
    async with wide.transaction() as tx:
        seen = (await get_board(tx, BOARD)).mode_version

    async def change(mode: ApprovalMode) -> None:
        async with wide.transaction() as tx:
            await set_mode(tx, BOARD, mode, seen=seen, actor=FOUNDER)

    modes = [ApprovalMode.MANUAL, ApprovalMode.SEMI, ApprovalMode.AUTO_APPROVAL]
    held = "select from boards for no key update"
    won = one_won(await race(wide, held, [lambda mode=mode: change(mode) for mode in modes]))
    async with wide.transaction() as tx:
        assert (await get_board(tx, BOARD)).approval_mode is modes[won]


async def test_a_stale_lease_writes_nothing_by_any_tool(team, wide):
    await sent_back(team)
    old = await team.claim("dan", "tea")
    submit = await prepare_move(team, "tea", "submit_work")
    async with wide.transaction() as tx:
        await tx.execute("update workflow_tasks set lease_until = now() - interval '1 second'")
        await recover_expired(tx, list(processes()))
    # The recovery came in between, then another took it, then the same one took it anew under a new attempt.
    for again in (None, "dora", "dan"):
        if again is not None:
            new = await team.claim(again, "tea")
        version = (await team("lia", "task_get", task="tea"))["version"]
        blocking = {"reason": "r", "owner": "liaison", "action": "a"}
        for tool, given in (
            ("task_renew", {}),
            ("task_deliver", {"fields": {"implementation": "late"}}),
            ("task_move", submit[2] | {"fields": submit[2]["fields"] | {"changelog_ref": UNSEEN}}),
            ("task_move", {"move": "release", "fields": {"reason": "late"}}),
            ("task_edit", {"version": version, "fields": {"findings": "late"}}),
            ("task_block", blocking),
        ):
            refused = await team.refused("dan", tool, **{**given, "task": "tea", "attempt": old})
            # Whoever does not hold it by name is told already that they may not.
            assert isinstance(refused, (LeaseLost, TransitionRefused)), (tool, repr(refused))
            assert refused.kept
            assert refused.hint or refused.advice
        assert UNSEEN not in team.links.asked, "a stale lease has links looked up, and evidence recorded"
        if again is not None:
            await team(again, "task_move", task="tea", move="release", attempt=new, fields={"reason": "done"})


@pytest.mark.parametrize("turn", range(2))
async def test_a_lease_that_is_taken_back_and_used_at_once_is_one_or_the_other(team, wide, turn):
    await team.claim("anna", await team.ready("tea"))
    submit = await prepare_move(team, "tea", "submit_design")
    async with wide.transaction() as tx:
        await tx.execute("update workflow_tasks set lease_until = now() - interval '1 second'")

    async def recover() -> int:
        async with wide.transaction() as tx:
            return len(await recover_expired(tx, list(processes())))

    acts = [recover(), act(team, submit)()][:: -1 if turn else 1]
    ended = await asyncio.gather(*acts, return_exceptions=True)
    recovered, moved = ended[:: -1 if turn else 1]
    assert (await team.place("tea"))[0] == ("ready" if recovered else "approval")
    assert isinstance(moved, LeaseLost if recovered else dict)


async def test_what_was_looked_up_for_a_lease_that_ended_meanwhile_is_not_recorded(team, wide):
    await team.claim("anna", await team.ready("tea"))
    who, tool, given = await prepare_move(team, "tea", "submit_design")
    look = team.links.check

    async def slow(link: str) -> FoundLink:
        async with wide.transaction() as tx:
            await tx.execute("update workflow_tasks set lease_until = now() - interval '1 second'")
            await recover_expired(tx, list(processes()))
        return await look(link)

    team.links.check = slow
    with pytest.raises(LeaseLost):
        await team(who, tool, **given)
    assert team.links.asked == [DESIGN]
    async with wide.transaction() as tx:
        cursor = await tx.execute("select from board_evidence")
        assert await cursor.fetchall() == []


async def test_a_deadlock_is_told_as_stale_and_leaves_nothing(team, wide, server, database_name):
    """A session of somebody else's takes the rows the other way round, and PostgreSQL ends the move."""
    await team.ready("tea")
    await team.create("cup", needs=["tea"])
    before = await state_of(wide, "tea"), await state_of(wide, "cup")
    asked = await prepare_move(team, "tea", "cancel")
    async with await psycopg.AsyncConnection.connect(server.url("postgres", database_name)) as rival:
        await rival.execute("set deadlock_timeout = '60s'")  # so that it is not the one that gives way
        await rival.commit()
        await rival.execute("select from workflow_tasks where slug = 'cup' for update")
        moving = asyncio.ensure_future(act(team, asked)())
        await wait_for_lock(wide)
        await rival.execute("select from workflow_tasks where slug = 'tea' for update")
        [ended] = await asyncio.gather(moving, return_exceptions=True)
        await rival.rollback()
    assert isinstance(ended, Stale)
    assert isinstance(ended.__cause__, DeadlockDetected)
    assert ended.kept
    assert ended.hint or ended.advice
    assert (await state_of(wide, "tea"), await state_of(wide, "cup")) == before
    await team(asked[0], asked[1], **asked[2])
    assert await team.place("cup") == ("blocked", "liaison")


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
async def test_a_serialization_failure_is_told_as_stale_and_leaves_nothing(
    server, database_name, database_url, level, tmp_path
):
    """A database whose sessions are isolated more strictly than ours ask for: its conflicts are the same answer."""
    boss = server.url("postgres", database_name)
    async with await psycopg.AsyncConnection.connect(boss, autocommit=True) as changing:
        await changing.execute(
            f"alter database \"{database_name}\" set default_transaction_isolation = '{level}'"
        )
    async with Database(database_url, connections=16) as strict, open_team(strict) as team:
        asked, decision = await asked_founder(team, strict)
        await team("boss", "task_decide", decision=decision, approve=True)
        version = (await team("lia", "task_get", task="tea"))["version"]
        edit = (
            "lia",
            "task_edit",
            {"task": "tea", "version": version, "fields": {"constraints": "No spout."}},
        )
        version, markers = await moves_of(strict, "tea")
        # One move: two would already disagree over what they looked up, before any of them waits.
        ended = await race(strict, TASK, [act(team, asked)] + [act(team, edit)] * 3)
        one_won(ended)
        assert SerializationFailure in {type(one.__cause__) for one in ended if isinstance(one, Stale)}
        state = await state_of(strict, "tea")
        assert state["task"]["version"] == version + 1
        assert len(state["markers"]) == markers + bool(state["decisions"][0]["used_at"])
        assert await find_violations(strict, tmp_path / "seal.key") == []


@pytest.mark.parametrize(
    "seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 23))]
)
async def test_many_sessions_on_tasks_that_need_each_other_are_answered_or_refused(team, wide, seed):
    """No deadlock, and no defect: whatever a session is told is a result or a coded refusal."""
    drawn = random.Random(seed)
    async with wide.transaction() as tx:
        await set_mode(tx, BOARD, ApprovalMode.MANUAL, seen=None, actor=FOUNDER)
    slugs = [f"task-{n}" for n in range(6)]
    for place, slug in enumerate(slugs):
        await team.create(slug, needs=drawn.sample(slugs[:3], 2) if place > 2 else [])
    told: Counter[str] = Counter()

    async def session() -> None:
        for _ in range(12):
            try:
                asked = await any_move(team, drawn, drawn.choice(slugs))
                await by_decision(team, asked)
                told["made"] += 1
            except Refused as refused:
                assert not isinstance(refused.__cause__, DeadlockDetected), refused
                told[refused.code] += 1
            except (StoreError, psycopg.Error) as error:
                pytest.fail(f"seed {seed}: {error!r}")
            except (StopIteration, KeyError):
                told["moved meanwhile"] += 1  # what was to be prepared for the move was not there any more

    await asyncio.gather(*(session() for _ in range(8)))
    assert told["made"] > 10, told


async def by_decision(team: Team, asked: Asked) -> None:
    """The move, after the founder's approval where it waits for that."""
    try:
        await act(team, asked)()
    except DecisionNeeded:
        for one in (await team("boss", "task_decisions"))["decisions"]:
            if one["task"] == f"kettle/{asked[2]['task']}":
                await team("boss", "task_decide", decision=one["decision"], approve=True)
        await act(team, asked)()


async def any_move(team: Team, drawn: random.Random, slug: str) -> Asked:
    """Ends come seldom, so that there is something to race for."""
    task = await task_of(team, slug)
    ends = drawn.random() < 0.05
    if task.status == "blocked":
        return await prepare_move(team, slug, "cancel" if ends else "restore")
    ways = [
        rule.name
        for rule in task.definition.transitions.values()
        if rule.starts_from(task.status, task.role) and (rule.name == "cancel") == ends
    ]
    return await prepare_move(team, slug, drawn.choice([*ways, "block"]))

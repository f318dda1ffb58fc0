"""Effects: each happens once, whatever breaks when, or a person is told that nobody knows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest

from frasier.kernel.errors import (
    DatabaseUnreachable,
    InvalidInput,
    InvariantBroken,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.ids import new_id
from frasier.kernel.limits import EFFECT_PAYLOAD_BYTES_MAX
from frasier.store import (
    EFFECTS_CHANNEL,
    Database,
    Effect,
    EffectState,
    NotifyListener,
    Outbox,
    effects_of,
    enqueue_effect,
    events_of,
    open_effects,
    resend_effect,
)
from frasier.store import outbox as outbox_module
from frasier.store.outbox import ATTEMPTS_MAX

Send = Callable[["World", Effect], Awaitable[None]]


class World:
    """The outside: remembers what happened in it. `script` says what becomes of each attempt to send, in turn."""

    kind = "post"

    def __init__(self, *script: Send | BaseException, reads_back: bool = True, kind: str = "post") -> None:
        self.kind = kind
        self.reads_back = reads_back
        self.script = list(script)
        self.happened: Counter[str] = Counter()
        self.looked_up = 0
        self.cannot_look: BaseException | None = None

    async def send(self, effect: Effect) -> Mapping[str, Any]:
        step = self.script.pop(0) if self.script else None
        if isinstance(step, BaseException):
            raise step
        if step is not None:
            await step(self, effect)
        self.happened[effect.key] += 1
        return {"receipt": effect.key}

    async def find(self, effect: Effect) -> Mapping[str, Any] | None:
        self.looked_up += 1
        if self.cannot_look:
            raise self.cannot_look
        return {"found": effect.key} if self.happened[effect.key] else None


async def happens_then_breaks(world: World, effect: Effect) -> None:
    world.happened[effect.key] += 1
    raise ConnectionResetError("the answer was lost")


async def breaks_before(_world: World, _effect: Effect) -> None:
    raise ConnectionResetError("cut off")


class Killed(BaseException):
    """Stands for the end of the process: nobody catches it."""


async def is_killed_before(_world: World, _effect: Effect) -> None:
    raise Killed


async def is_killed_after(world: World, effect: Effect) -> None:
    world.happened[effect.key] += 1
    raise Killed


async def ask(board: Database, *, key: str = "k1", kind: str = "post", stream: UUID | None = None) -> UUID:
    stream = stream or new_id()
    async with board.transaction() as tx:
        await enqueue_effect(tx, kind=kind, key=key, stream=stream, payload={"text": "hello"})
    return stream


async def state(board: Database, stream: UUID) -> EffectState:
    async with board.transaction() as tx:
        [effect] = await effects_of(tx, stream)
    return effect


async def kinds(board: Database, stream: UUID) -> list[str]:
    async with board.transaction() as tx:
        return [event.kind for event in await events_of(tx, stream)]


async def make_due(board: Database) -> None:
    """As if enough time had passed for every lease and every wait."""
    async with board.transaction() as tx:
        await tx.execute(
            "update store_effects set run_after = now(),"
            " lease_until = case when lease_until is not null then now() - interval '1 second' end"
        )


async def drain_through(board: Database, world: World, turns: int = 12, **how: Any) -> None:
    """Drains until nothing moves any more, while time passes."""
    for _ in range(turns):
        with suppress(Killed):
            await Outbox(board, [world], **how).drain()
        await make_due(board)


async def test_an_effect_happens_once_and_is_confirmed_with_its_receipt(board: Database) -> None:
    world = World()
    stream = await ask(board)
    outbox = Outbox(board, [world])
    assert await outbox.drain() == 1
    assert await outbox.drain() == 0
    sent = await state(board, stream)
    assert (sent.state, sent.attempts, sent.receipt, sent.error) == ("sent", 1, {"receipt": "k1"}, None)
    assert sent.settled_at is not None
    assert world.happened == {"k1": 1}
    assert await kinds(board, stream) == ["effect.sent"]


async def test_the_same_key_again_is_the_same_effect(board: Database) -> None:
    world, stream = World(), new_id()
    await ask(board, stream=stream)
    await ask(board, stream=stream)
    await Outbox(board, [world]).drain()
    await ask(board, stream=stream)
    await Outbox(board, [world]).drain()
    assert world.happened == {"k1": 1}


async def test_what_is_rolled_back_never_happens(board: Database) -> None:
    world = World()
    with pytest.raises(RuntimeError):
        async with board.transaction() as tx:
            await enqueue_effect(tx, kind="post", key="k1", stream=new_id(), payload={})
            raise RuntimeError
    assert await Outbox(board, [world]).drain() == 0
    assert not world.happened


async def test_an_effect_is_marked_before_it_is_tried(board: Database) -> None:
    seen: list[str] = []
    stream = new_id()

    async def look(_world: World, _effect: Effect) -> None:
        seen.append((await state(board, stream)).state)

    await ask(board, stream=stream)
    await Outbox(board, [World(look)]).drain()
    assert seen == ["sending"]


async def test_channels_of_other_kinds_are_left_to_others(board: Database) -> None:
    stream = await ask(board, kind="page")
    assert await Outbox(board, [World()]).drain() == 0
    assert (await state(board, stream)).state == "pending"


async def test_a_payload_has_a_bound(board: Database) -> None:
    async with board.transaction() as tx:
        with pytest.raises(InvariantBroken, match="larger than"):
            await enqueue_effect(
                tx, kind="post", key="k", stream=new_id(), payload={"text": "x" * EFFECT_PAYLOAD_BYTES_MAX}
            )


class TestDoubt:
    @pytest.mark.parametrize("accident", [happens_then_breaks, is_killed_after])
    async def test_what_did_happen_is_found_and_not_done_again(self, board: Database, accident: Send) -> None:
        world, stream = World(accident), await ask(board)
        await drain_through(board, world)
        confirmed = await state(board, stream)
        assert (confirmed.state, confirmed.receipt) == ("sent", {"found": "k1"})
        assert world.happened == {"k1": 1}
        assert await kinds(board, stream) == ["effect.in_doubt", "effect.sent"]

    @pytest.mark.parametrize("accident", [breaks_before, is_killed_before])
    async def test_what_certainly_did_not_happen_is_done_after_all(
        self, board: Database, accident: Send
    ) -> None:
        world, stream = World(accident), await ask(board)
        await drain_through(board, world)
        assert (await state(board, stream)).attempts == 2
        assert world.happened == {"k1": 1}
        assert await kinds(board, stream) == ["effect.in_doubt", "effect.sent"]

    @pytest.mark.parametrize(
        "accident", [happens_then_breaks, breaks_before, is_killed_after, is_killed_before]
    )
    async def test_where_nothing_can_be_read_back_a_person_is_told(
        self, board: Database, accident: Send
    ) -> None:
        world, stream = World(accident, reads_back=False), await ask(board)
        await drain_through(board, world)
        assert (await state(board, stream)).state == "unknown"
        async with board.transaction() as tx:
            [listed] = await open_effects(tx)
        assert (listed.key, listed.state) == ("k1", "unknown")
        assert listed.error
        assert world.looked_up == 0
        assert sum(world.happened.values()) <= 1
        assert await kinds(board, stream) == ["effect.in_doubt"]

    async def test_it_is_not_looked_up_before_the_outside_had_time_to_finish(self, board: Database) -> None:
        world, stream = World(breaks_before), await ask(board)
        outbox = Outbox(board, [world])
        await outbox.drain()
        assert await outbox.drain() == 0
        assert (world.looked_up, (await state(board, stream)).state) == (0, "unknown")

    async def test_a_living_sender_is_not_taken_for_dead(self, board: Database) -> None:
        world, stream = World(is_killed_after), await ask(board)
        with pytest.raises(Killed):
            await Outbox(board, [world]).drain()
        assert await Outbox(board, [world]).drain() == 0
        assert (await state(board, stream)).state == "sending"

    async def test_while_it_cannot_be_looked_up_it_stays_in_doubt(self, board: Database) -> None:
        world, stream = World(happens_then_breaks), await ask(board)
        for trouble in (ProviderUnavailable("down"), OSError("no route"), KeyError("a defect")):
            world.cannot_look = trouble
            await drain_through(board, world, turns=2)
            doubtful = await state(board, stream)
            assert doubtful.state == "unknown"
            assert "could not be looked up" in (doubtful.error or "")
        world.cannot_look = None
        await drain_through(board, world)
        assert (await state(board, stream)).state == "sent"
        assert world.happened == {"k1": 1}
        assert await kinds(board, stream) == ["effect.in_doubt", "effect.sent"]

    async def test_an_endless_series_of_accidents_comes_to_an_end(self, board: Database) -> None:
        world, stream = World(*[breaks_before] * ATTEMPTS_MAX), await ask(board)
        await drain_through(board, world, turns=2 * ATTEMPTS_MAX)
        given_up = await state(board, stream)
        assert (given_up.state, given_up.attempts) == ("failed", ATTEMPTS_MAX)
        assert world.happened == {}

    async def test_a_send_that_takes_too_long_is_given_up_and_looked_up(
        self, board: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def hangs(_world: World, _effect: Effect) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(outbox_module, "SEND_TIMEOUT_S", 0.05)
        world, stream = World(hangs), await ask(board)
        await Outbox(board, [world]).drain()
        assert (await state(board, stream)).state == "unknown"
        await drain_through(board, world)
        assert (await state(board, stream)).state == "sent"
        assert world.happened == {"k1": 1}

    async def test_a_process_that_was_stopped_after_its_claim_does_not_send_late(
        self, board: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moments = iter([0.0, 10_000.0])
        world, stream = World(), await ask(board)
        with monkeypatch.context() as patch:
            patch.setattr(outbox_module.time, "monotonic", lambda: next(moments, 20_000.0))
            await Outbox(board, [world]).drain(limit=1)
        assert world.happened == {}
        assert (await state(board, stream)).state == "sending"


class TestFailures:
    async def test_a_passing_trouble_is_tried_again_later_each_time(self, board: Database) -> None:
        world, stream = World(*[ProviderUnavailable("down")] * 3), await ask(board)
        waits = []
        for _ in range(3):
            await Outbox(board, [world]).drain()
            assert (await state(board, stream)).state == "pending"
            async with board.transaction() as tx:
                cursor = await tx.execute(
                    "select extract(epoch from run_after - now())::float8 as s from store_effects"
                )
                waits.append((await cursor.fetchone())["s"])
            assert await Outbox(board, [world]).drain() == 0, "not due yet"
            await make_due(board)
        assert 0 < waits[0] < waits[1] < waits[2]
        await Outbox(board, [world]).drain()
        assert (await state(board, stream)).state == "sent"
        assert world.happened == {"k1": 1}

    @pytest.mark.parametrize("error", [ProviderTimeout("slow"), DatabaseUnreachable("gone")])
    async def test_what_may_succeed_later_is_not_given_up(self, board: Database, error) -> None:
        world, stream = World(error), await ask(board)
        await drain_through(board, world)
        assert (await state(board, stream)).state == "sent"

    @pytest.mark.parametrize("error", [ProviderRejected("bad key"), InvalidInput("no such page")])
    async def test_what_cannot_succeed_fails_at_once_and_is_listed(self, board: Database, error) -> None:
        world, stream = World(error), await ask(board)
        await Outbox(board, [world]).drain()
        failed = await state(board, stream)
        assert (failed.state, failed.attempts, failed.error) == ("failed", 1, error.message)
        async with board.transaction() as tx:
            assert [effect.id for effect in await open_effects(tx)] == [failed.id]
            [event] = await events_of(tx, stream)
        assert (event.kind, event.payload["error"]) == ("effect.failed", error.message)

    async def test_after_the_last_attempt_it_is_given_up(self, board: Database) -> None:
        world, stream = World(*[ProviderUnavailable("down")] * ATTEMPTS_MAX), await ask(board)
        await drain_through(board, world, turns=ATTEMPTS_MAX + 3)
        failed = await state(board, stream)
        assert (failed.state, failed.attempts) == ("failed", ATTEMPTS_MAX)
        assert await kinds(board, stream) == ["effect.failed"]

    async def test_one_bad_effect_holds_up_nobody(self, board: Database) -> None:
        bad, good = World(*[KeyError("defect")] * 9, kind="bad"), World(kind="good")
        await ask(board, key="b", kind="bad")
        streams = [await ask(board, key=f"g{n}", kind="good") for n in range(5)]
        await Outbox(board, [bad, good]).drain()
        for stream in streams:
            assert (await state(board, stream)).state == "sent"

    async def test_a_slow_channel_does_not_let_the_others_wait(self, board: Database) -> None:
        passed = asyncio.Event()

        async def waits_for_the_other(_world: World, _effect: Effect) -> None:
            await passed.wait()

        async def tells(_world: World, _effect: Effect) -> None:
            passed.set()

        streams = [await ask(board, key="s", kind="slow"), await ask(board, key="q", kind="quick")]
        async with asyncio.timeout(20):
            await Outbox(board, [World(waits_for_the_other, kind="slow"), World(tells, kind="quick")]).drain()
        assert [(await state(board, stream)).state for stream in streams] == ["sent", "sent"]


class TestResending:
    @pytest.mark.parametrize("accident", [breaks_before, ProviderRejected("bad key")])
    async def test_a_person_may_ask_for_it_again(self, board: Database, accident) -> None:
        world, stream = World(accident, reads_back=False), await ask(board)
        await Outbox(board, [world]).drain()
        effect = await state(board, stream)
        async with board.transaction() as tx:
            assert await resend_effect(tx, effect.id, actor="founder:founder")
        async with board.transaction() as tx:
            assert not await resend_effect(tx, effect.id, actor="founder:founder"), "it is on its way"
            assert await open_effects(tx) == []
        await Outbox(board, [world]).drain()
        assert (await state(board, stream)).state == "sent"
        assert "effect.resent" in await kinds(board, stream)

    async def test_what_happened_cannot_be_sent_again(self, board: Database) -> None:
        world, stream = World(), await ask(board)
        await Outbox(board, [world]).drain()
        async with board.transaction() as tx:
            assert not await resend_effect(tx, (await effects_of(tx, stream))[0].id, actor="founder:founder")
            assert not await resend_effect(tx, new_id(), actor="founder:founder")
        assert await Outbox(board, [world]).drain() == 0


class TestFollowUps:
    async def test_it_commits_with_the_confirmation(self, board: Database) -> None:
        stream = await ask(board)

        async def follow(tx, effect: Effect, receipt: Mapping[str, Any]) -> None:
            await enqueue_effect(
                tx, kind="told", key=f"told:{effect.key}", stream=stream, payload=dict(receipt)
            )

        await Outbox(board, [World()], {"post": follow}).drain()
        async with board.transaction() as tx:
            states = [(effect.kind, effect.state, effect.payload) for effect in await effects_of(tx, stream)]
        assert states == [("post", "sent", {"text": "hello"}), ("told", "pending", {"receipt": "k1"})]

    async def test_where_it_fails_the_effect_is_in_doubt_with_the_reason_and_never_done_twice(
        self, board: Database
    ) -> None:
        stream, world, broken = await ask(board), World(), True

        async def follow(tx, effect: Effect, _receipt: Mapping[str, Any]) -> None:
            await enqueue_effect(tx, kind="told", key=f"told:{effect.key}", stream=stream, payload={})
            if broken:
                raise ValueError("a defect in what follows")

        outbox = Outbox(board, [world], {"post": follow})
        await outbox.drain()
        async with board.transaction() as tx:
            [effect] = await effects_of(tx, stream)
        assert effect.state == "unknown"
        assert "a defect in what follows" in (effect.error or "")
        broken = False
        await make_due(board)
        await outbox.drain()
        async with board.transaction() as tx:
            assert [effect.state for effect in await effects_of(tx, stream)] == ["sent", "pending"]
        assert world.happened == {"k1": 1}


class TestManyDrainers:
    async def test_they_never_send_an_effect_twice(self, board: Database) -> None:
        world = World()
        for n in range(40):
            await ask(board, key=f"k{n}")

        async def drain() -> None:
            while await Outbox(board, [world]).drain(limit=3):
                pass

        await asyncio.gather(*(drain() for _ in range(6)))
        assert world.happened == {f"k{n}": 1 for n in range(40)}

    async def test_they_never_look_one_up_and_send_it_twice(self, board: Database) -> None:
        """Two read back "it did not happen" at the same time; only one of them sends again."""
        world = World(breaks_before)
        await ask(board)
        await Outbox(board, [world]).drain()
        for _ in range(6):
            await make_due(board)
            await asyncio.gather(*(Outbox(board, [world]).drain() for _ in range(4)))
        assert world.happened == {"k1": 1}
        assert world.looked_up == 1

    async def test_a_sender_that_comes_late_cannot_undo_what_another_does(self, board: Database) -> None:
        """The first is slow past its lease; the second takes over; then the first says "it failed, try again"."""
        slow, other = asyncio.Event(), asyncio.Event()

        async def first(_world: World, _effect: Effect) -> None:
            slow.set()
            await other.wait()
            raise ProviderUnavailable("down after all")

        stream = await ask(board)
        late, quick = World(first), World()
        late.happened = quick.happened
        sending = asyncio.create_task(Outbox(board, [late]).drain())
        await slow.wait()
        await drain_through(board, quick, turns=4)
        assert (await state(board, stream)).state == "sent"
        other.set()
        await sending
        assert (await state(board, stream)).state == "sent"
        assert quick.happened == {"k1": 1}

    async def test_a_late_receipt_counts_even_where_it_was_queued_again(self, board: Database) -> None:
        """Read back too early it was not there; the receipt that comes late stops a second sending."""
        slow, other = asyncio.Event(), asyncio.Event()

        async def first(_world: World, _effect: Effect) -> None:
            slow.set()
            await other.wait()

        stream, world = await ask(board), World(first)
        sending = asyncio.create_task(Outbox(board, [world]).drain())
        await slow.wait()
        await make_due(board)
        await Outbox(board, [world]).drain()
        assert (await state(board, stream)).state == "pending", "looked up: not there yet"
        other.set()
        await sending
        assert (await state(board, stream)).state == "sent"
        await drain_through(board, world)
        assert world.happened == {"k1": 1}


class TestRunning:
    async def test_it_runs_until_it_is_stopped_and_outlives_a_lost_connection(self, board: Database) -> None:
        stop, done = asyncio.Event(), asyncio.Event()

        async def tells(_world: World, _effect: Effect) -> None:
            done.set()

        running = asyncio.create_task(Outbox(board, [World(tells)]).run(stop, poll_s=0.01))
        async with board.transaction() as tx:
            await tx.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
                " and backend_type = 'client backend'"
            )
        stream = await ask(board)
        async with asyncio.timeout(20):
            await done.wait()
            stop.set()
            await running
        assert (await state(board, stream)).state == "sent"

    async def test_it_carries_out_at_once_what_is_asked_for_while_it_waits(self, board: Database) -> None:
        stop, done = asyncio.Event(), asyncio.Event()

        async def tells(_world: World, _effect: Effect) -> None:
            done.set()

        running = asyncio.create_task(Outbox(board, [World(tells)]).run(stop, poll_s=3_600))
        async with asyncio.timeout(20), NotifyListener(board.url, EFFECTS_CHANNEL) as confirmed:
            await confirmed.wait(60)  # it listens
            stream = await ask(board)
            await done.wait()
            while (await state(board, stream)).state != "sent":
                await confirmed.wait(60)  # whoever watches learns of it at once, too
            stop.set()
            await running

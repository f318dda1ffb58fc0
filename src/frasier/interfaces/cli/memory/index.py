"""`frasier memory index`: make pending vectors, and show the progress."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.with_services import JsonOption, with_services
from frasier.kernel.errors import InvalidInput, ProviderUnavailable
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.memory import MemoryEngine, Progress

_AT_WORK = "Encoding"
_AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indexed:
    """Numbers of vectors: made, failed, still pending, and given up; and the seconds that it took.

    Of those left, `claimed` are being made by another process, or by one that has ended: they are due again within
    `claimed_s` seconds. `waiting` failed, and the first is due again in `waiting_s` seconds.
    """

    made: int
    failed: int
    left: int
    claimed: int
    claimed_s: float
    waiting: int
    waiting_s: float
    given_up: int
    took_s: float


def index(
    context: typer.Context,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="At most this many memories; all if not said.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make the pending vectors. Then memories are found by their meaning too.

    Other processes may do the same at once. Interrupted, it keeps what it made.
    """
    from frasier.interfaces.cli.memory.spinner import progress_bars
    from frasier.interfaces.operations import as_json as json_of

    with progress_bars(_AT_WORK, enabled=not as_json) as advance:

        async def work(services: Services) -> _Indexed:
            return await _index(services.memory, limit, advance)

        indexed = with_services(context, work, any_actor=True)
    show_done(_summary(indexed), json_of(indexed), as_json=as_json)


async def _index(engine: MemoryEngine, limit: int | None, advance: Progress) -> _Indexed:
    """Make the due vectors, and no more than were pending at the start: others may save faster than this encodes."""
    if engine.settings.embedding.provider == "none":
        raise InvalidInput(
            "No embedding provider is set, so no vectors are made.",
            kept="Memories are found by their words.",
            hint="Set FRASIER_MEMORY__EMBEDDING__PROVIDER; `local` needs nothing else.",
        )
    began = time.perf_counter()
    made = failed = 0
    target = limit
    total: int | None = None
    while target is None or made + failed < target:
        done = await engine.embed_round(
            limit=min(_AT_ONCE, _AT_ONCE if target is None else target - made - failed)
        )
        made, failed = made + done.embedded, failed + done.failed
        if done.stopped:
            raise ProviderUnavailable(
                f"The vectors cannot be made: {done.stopped}",
                kept=f"{plural(made, 'vector')} made before that are kept." if made else "Nothing is lost.",
                hint="`frasier memory health` shows the encoder; run this again when it answers.",
            )
        if total is None:
            owed = await engine.health()
            total = made + failed + owed.pending + owed.retry
            target = min(total, total if limit is None else limit)
        advance(_AT_WORK, made + failed, target or 0)
        if done.embedded + done.failed == 0:
            break
    left = await engine.health()
    return _Indexed(
        made=made,
        failed=failed,
        left=left.pending + left.retry,
        claimed=left.claimed,
        claimed_s=round(left.claimed_s, 1),
        waiting=left.waiting,
        waiting_s=round(left.waiting_s, 1),
        given_up=left.failed,
        took_s=round(time.perf_counter() - began, 2),
    )


def _minutes(seconds: float) -> str:
    """Format a wait in whole minutes, rounded up, so that it is over by then."""
    return plural(max(1, math.ceil(seconds / 60)), "minute")


def _summary(indexed: _Indexed) -> str:
    sentences = [f"{plural(indexed.made, 'vector')} made in {indexed.took_s:.1f} s."]
    if indexed.failed:
        sentences.append(
            f"{plural(indexed.failed, 'text')} refused by the encoder; they are tried again later."
        )
    if due := indexed.left - indexed.claimed - indexed.waiting:
        sentences.append(f"{plural(due, 'memory', 'memories')} left; run it again to make their vectors.")
    if indexed.claimed:
        sentences.append(
            f"{plural(indexed.claimed, 'vector')} being made by another process; if that process has ended, run it"
            f" again in {_minutes(indexed.claimed_s)}."
        )
    if indexed.waiting:
        sentences.append(
            f"{plural(indexed.waiting, 'vector')} failed before and can be tried again in"
            f" {_minutes(indexed.waiting_s)}, or at once with `frasier memory retry`."
        )
    if indexed.given_up:
        sentences.append(
            f"{plural(indexed.given_up, 'memory', 'memories')} given up after several tries;"
            " `frasier memory retry` tries again."
        )
    if len(sentences) == 1 and not indexed.made:
        return "Every memory has its vector."
    return " ".join(sentences)

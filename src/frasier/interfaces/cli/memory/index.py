"""`frasier memory index`: the vectors that are owed, made now, with somebody watching."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.memory import MemoryEngine, Progress

_AT_WORK = "Encoding"
_AT_ONCE = 4


def index(
    context: typer.Context,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="At most this many memories; all if not said.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make the vectors that are owed. Then memories are found by their meaning too.

    Other processes may do the same at once. Interrupted, it keeps what it made.
    """
    from frasier.interfaces.cli.memory.spinner import shown_progress
    from frasier.interfaces.cli.output import print_json

    with shown_progress(_AT_WORK, shown=not as_json) as advance:

        async def work(services: Services) -> dict[str, int | float]:
            return await _index(services.memory, limit, advance)

        made = with_services(context, work, anybody=True)
    if as_json:
        print_json(made)
    else:
        typer.echo(_said(made))


async def _index(engine: MemoryEngine, limit: int | None, advance: Progress) -> dict[str, int | float]:
    """Makes what is due, and no more than was owed at the beginning: others may save faster than this encodes."""
    from frasier.kernel.errors import InvalidInput, ProviderUnavailable
    from frasier.kernel.humanize import plural

    if engine.settings.embedding.provider == "none":
        raise InvalidInput(
            "No embedding provider is set, so no vectors are made.",
            kept="Memories are found by their words.",
            hint="Set FRASIER_MEMORY__EMBEDDING__PROVIDER; `local` needs nothing else.",
        )
    began = time.perf_counter()
    made = failed = 0
    most = limit
    total: int | None = None
    while most is None or made + failed < most:
        done = await engine.embed_round(
            limit=min(_AT_ONCE, _AT_ONCE if most is None else most - made - failed)
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
            most = min(total, total if limit is None else limit)
        advance(_AT_WORK, made + failed, most or 0)
        if done.embedded + done.failed == 0:
            break
    left = await engine.health()
    return {
        "made": made,
        "failed": failed,
        "left": left.pending + left.retry,
        "given_up": left.failed,
        "took_s": round(time.perf_counter() - began, 2),
    }


def _said(made: dict[str, int | float]) -> str:
    from frasier.kernel.humanize import plural

    said = [f"{plural(int(made['made']), 'vector')} made in {made['took_s']:.1f} s."]
    if made["failed"]:
        said.append(
            f"{plural(int(made['failed']), 'text')} refused by the encoder; they are tried again later."
        )
    if made["left"]:
        said.append(
            f"{plural(int(made['left']), 'memory', 'memories')} left: beyond the limit, being made by another process,"
            " or tried again later."
        )
    if made["given_up"]:
        said.append(
            f"{plural(int(made['given_up']), 'memory', 'memories')} given up after several tries;"
            " `frasier memory retry` tries again."
        )
    if len(said) == 1 and not made["made"]:
        return "Every memory has its vector."
    return " ".join(said)

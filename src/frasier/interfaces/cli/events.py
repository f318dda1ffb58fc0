"""`frasier events`: tail the audit log, and verify it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.errors import ExitCode
from frasier.interfaces.cli.output import Page, clock, print_json, print_json_line, short, write_out
from frasier.interfaces.cli.run_operation import ask_organisation, call_organisation
from frasier.interfaces.cli.with_services import (
    JsonOption,
    LimitOption,
    command_group,
    with_services,
)
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten, strip_control

if TYPE_CHECKING:
    import asyncio

    from frasier.board import ReplayReport
    from frasier.interfaces.operations.organisation.events import EventVerifyOutput
    from frasier.interfaces.services import Services
    from frasier.store import AuditVerification, Event, EventCursor, FeedBatch

events = command_group("Events: the audit log.")

_SILENCE_S = 60.0
_ABOUT_CHARS = 200
_REASON_CHARS_MAX = 2_000


class TasksReplayed(StrEnum):
    """Tasks that `verify` replays: a sample, or all."""

    SAMPLE = "sample"
    ALL = "all"


@events.command()
def tail(
    context: typer.Context,
    limit: LimitOption = 20,
    mission: Annotated[
        str | None,
        typer.Option("--mission", "-m", help="Only one mission and its tasks: id, part of it, or `last`."),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on as events happen, until Ctrl-C.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the newest events. The oldest of them first; with --follow --json, one JSON object a line."""
    if follow:
        with_services(context, lambda services: _follow(services, limit, mission, as_json=as_json))
        return

    from frasier.interfaces.operations.organisation.events import LIST

    _print(ask_organisation(context, LIST, {"limit": limit, "mission": mission}).events, as_json=as_json)


@events.command()
def verify(
    context: typer.Context,
    accept_loss: Annotated[
        str | None,
        typer.Option(
            "--accept-loss",
            metavar="REASON",
            help="Go on although the newest seals are missing, as after you restored a backup; kept as an event.",
        ),
    ] = None,
    tasks: Annotated[
        TasksReplayed, typer.Option("--tasks", help="Whose history is replayed: of some tasks, or of all.")
    ] = TasksReplayed.SAMPLE,
    as_json: JsonOption = False,
) -> None:
    """Verify the audit log. Every chain and seal, and that tasks are where events lead; exit code 7 if not."""
    reason = None if accept_loss is None else _reason(accept_loss)

    async def check(services: Services) -> tuple[bool, EventVerifyOutput]:
        from frasier.interfaces.operations.organisation.events import VERIFY

        accepted = reason is not None and await services.audit_log.accept_lost_seals(
            reason=reason, actor="founder:founder"
        )
        call = await call_organisation(services)
        return accepted, (await call(VERIFY, {"tasks": tasks.value})).data

    # To accept a loss is the founder's alone; to verify is an observer's, too.
    accepted, verified = with_services(context, check, any_actor=reason is None)
    verification, replays = verified.log, verified.replays
    if as_json:
        _print_verification_json(verification, replays, accepted=accepted)
    else:
        remark = "The loss is accepted: it was recorded and sealed." if accepted else ""
        if reason is not None and not accepted:
            remark = (
                "More than the newest seal is missing or wrong, which cannot be accepted. Nothing was changed."
                if verification.problems
                else "No seal is missing: no loss was recorded."
            )
        _print_verification(verification, replays, remark)
    if verification.problems or replays.differing:
        raise typer.Exit(ExitCode.DATABASE)


def _reason(text: str) -> str:
    reason = text.strip()
    if not 0 < len(reason) <= _REASON_CHARS_MAX:
        raise InvalidInput(
            f"A loss is accepted with a reason of 1 to {_REASON_CHARS_MAX:,} characters.",
            kept="Nothing was changed.",
            hint='For instance: --accept-loss "I restored the backup of Monday."',
        )
    return reason


async def _follow(services: Services, limit: int, mission: str | None, *, as_json: bool) -> None:
    """Print the newest events, then those of the feed as they happen, until Ctrl-C."""
    import asyncio

    from frasier.interfaces.cli.shutdown_signals import stop_on_signals
    from frasier.overview import EventGroups, event_group_of, read_newest_events

    stopping = asyncio.ensure_future(stop_on_signals().wait())
    fresh, place = await services.in_transaction(read_newest_events, mission, limit=limit)
    _print_lines(fresh, as_json=as_json)
    group = await services.in_transaction(event_group_of, mission=mission, board=None)
    groups = EventGroups()
    async for batch in _batches_after(services, place, stopping):
        if group is not None:
            await groups.load(services.in_transaction, batch.events)
        _print_lines(
            [event for event in batch.events if group in (None, groups.of(event))],
            as_json=as_json,
        )
    stopping.cancel()


async def _batches_after(
    services: Services, place: EventCursor, stopping: asyncio.Future[Any]
) -> AsyncIterator[FeedBatch]:
    """Yield the batches after a place; one that could not keep up reads what it missed from the database."""
    from frasier.interfaces.feed_batches import batches_until

    while not stopping.done():
        async with (
            services.event_feed.subscribe(place) as batches,
            aclosing(batches_until(batches, stopping, _SILENCE_S)) as timed,
        ):
            async for batch in timed:
                if batch is None:
                    continue
                if batch.reload:
                    _check_same_epoch(place, batch.cursor)
                    break
                place = batch.cursor
                yield batch


def _check_same_epoch(place: EventCursor, now: EventCursor) -> None:
    if now.epoch != place.epoch:
        raise Stale(
            "The database was restored or set back while its events were followed.",
            kept="What was shown is what it held before.",
            advice=Advice("event.tail", to="follow it as it is now"),
        )


def _print_lines(fresh: Sequence[Event], *, as_json: bool) -> None:
    for event in fresh:
        if as_json:
            print_json_line(_event(event))
        else:
            write_out(_line(event) + "\n")


def _event(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "at": event.at,
        "stream": event.stream,
        "seq": event.seq,
        "kind": event.kind,
        "actor": event.actor,
        "payload": event.payload,
    }


def _line(event: Event) -> str:
    """Format an event as one searchable line; on a terminal that is too narrow its text goes below."""
    text = strip_control(shorten(event.about, _ABOUT_CHARS))
    head = f"{clock(event.at)}  {short(event.stream)}  {event.kind:<18}  {event.actor}"
    line = f"{head}  {text}".rstrip()
    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or len(line) <= width:
        return line
    lines = [shorten(head, width), *([f"    {shorten(text, width - 4)}"] if text else [])]
    return "\n".join(lines)


def _print(listed: Sequence[Event], *, as_json: bool) -> None:
    if as_json:
        print_json({"events": [_event(event) for event in listed]})
    else:
        write_out("".join(_line(event) + "\n" for event in listed) or "No event yet.\n")


def _print_verification_json(
    verification: AuditVerification, replays: ReplayReport, *, accepted: bool
) -> None:
    print_json(
        {
            "verified": not (verification.problems or replays.differing),
            "events": verification.events,
            "seals": verification.seals,
            "sealed_events": verification.sealed_events,
            "problems": list(verification.problems),
            "newest_seal_missing": verification.newest_seal_missing,
            "loss_accepted": accepted,
            "tasks": {
                "replayed": replays.replayed,
                "process_changed": replays.changed,
                "of": replays.tasks,
                "differing": [
                    {"task": name, "problems": list(problems)} for name, problems in replays.differing.items()
                ],
            },
        }
    )


def _print_verification(verification: AuditVerification, replays: ReplayReport, remark: str) -> None:
    page = Page()
    if remark:
        page.line(remark)
    if verification.problems:
        page.line(("✗ The audit log does not verify:", "bold red"))
        page.prose("\n".join(f"- {problem}" for problem in verification.problems))
        page.line(
            "Somebody or something changed it past this program. Compare with a backup before going on."
        )
        if verification.newest_seal_missing and len(verification.problems) == 1:
            page.line(
                "If you restored a backup, or made the database anew, `frasier events verify --accept-loss REASON` goes"
                " on from the seals that are there."
            )
    else:
        open_events = verification.events - verification.sealed_events
        page.line(
            ("✓ ", "green"),
            f"{plural(verification.events, 'event')} chained, {verification.sealed_events:,} of them under "
            f"{plural(verification.seals, 'seal')}.",
        )
        if open_events:
            newer = plural(open_events, "newer event")
            page.line((f"{newer} not sealed yet: until then their chain alone protects them.", "dim"))
            page.line(
                ("`frasier run` seals at its end; `frasier up` and `frasier serve` do as they go.", "dim")
            )
    _add_replays(page, replays)
    page.show()


def _add_replays(page: Page, replays: ReplayReport) -> None:
    of = f"{replays.replayed:,} of {plural(replays.tasks, 'task')} replayed"
    if replays.changed:
        cannot = f"{plural(replays.changed, 'task')} cannot be replayed: the process was changed since, or is gone."
        page.line((cannot, "yellow"))
    if replays.differing:
        page.line((f"✗ {of}; not where their events lead:", "bold red"))
        page.prose("\n".join(f"- {name}: {'; '.join(why)}" for name, why in replays.differing.items()))
        page.line("Somebody changed these rows past this program. Compare with a backup before going on.")
        return
    rest = "" if replays.replayed + replays.changed == replays.tasks else "; `--tasks all` replays every one"
    page.line(("✓ ", "green"), f"{of}: they are where their events lead{rest}.")

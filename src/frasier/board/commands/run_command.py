"""Runs a declared command to its end, whatever that is, and tells what was measured."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import time
from dataclasses import dataclass
from typing import Any

from frasier.board.commands.declared_command import DeclaredCommand, check_command, check_folder
from frasier.board.commands.junit_report import count_report
from frasier.board.commands.output import OUTPUT_BYTES_MAX, Output
from frasier.board.commands.report_file import ReportBefore, look_before, read_report
from frasier.board.commands.run_result import Ended, Ran
from frasier.board.commands.supervisor_client import Supervised, supervised
from frasier.board.commands.test_counts import Counted
from frasier.kernel.errors import InvalidInput, SourceError
from frasier.kernel.transaction_guard import forbid_open_transaction

# The supervisor keeps the time limit. This much later it is taken for stopped itself.
_SUPERVISOR_S = 15.0


async def run_command(command: DeclaredCommand, *, stop: asyncio.Event | None = None) -> Ran:
    """Runs `command`, and returns when nothing of it is left. `stop` ends it before its time.

    What cannot be started is told, not raised. Where the caller is cancelled, the command has been killed when
    CancelledError comes out. A nonzero exit code with all tests passed is told as it is: see `Ran`.
    """
    forbid_open_transaction("A declared command")
    began = time.monotonic()
    output, counted = Output(), None
    try:
        before = await asyncio.to_thread(_prepare, command)
        how = _how(command, output, await _watch(command, output, stop))
    except InvalidInput as refused:
        how = _How(Ended.NOT_STARTED, f"{refused.message} {refused.hint}".strip())
    else:
        if how.ended is Ended.EXITED:
            counted, trouble = await asyncio.to_thread(_count, command, before, output)
            how.why = f"{how.why} {trouble}".strip()
    return Ran(
        exit_code=how.code,
        ended=how.ended,
        passed=counted.passed if counted else None,
        total=counted.total if counted else None,
        output_digest=output.digest,
        output_bytes=output.size,
        tail=await asyncio.to_thread(output.tail),
        took_s=time.monotonic() - began,
        why=how.why,
    )


def _prepare(command: DeclaredCommand) -> ReportBefore:
    check_command(command)
    check_folder(command)
    return look_before(command)


async def _watch(command: DeclaredCommand, output: Output, stop: asyncio.Event | None) -> Supervised:
    """Lets it run until it is over, or must not go on. What its supervisor told of it, when nothing of it is left."""
    full = asyncio.Event()

    async def take(data: bytes) -> None:
        # In a thread: to count what a hostile command prints takes long, and others need the loop.
        await asyncio.to_thread(output.take, data)
        if output.too_much:
            full.set()

    async with supervised(command, take) as seen:
        asked = [asyncio.ensure_future(event.wait()) for event in (full, stop) if event is not None]
        reasons: list[asyncio.Future[Any]] = [seen.over, *asked]
        try:
            timeout_s = command.timeout_s + _SUPERVISOR_S
            await asyncio.wait(reasons, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for waiting in asked:
                waiting.cancel()
    return seen


@dataclass(slots=True)
class _How:
    ended: Ended
    why: str
    code: int | None = None


def _how(command: DeclaredCommand, output: Output, seen: Supervised) -> _How:
    if number := seen.told("refused"):
        return _How(Ended.NOT_STARTED, _why_refused(command, number))
    if output.too_much:
        return _How(Ended.KILLED, f"It was killed because it printed more than {OUTPUT_BYTES_MAX >> 20} MiB.")
    if seen.told("timed_out") is not None:
        return _How(Ended.TIMED_OUT, f"It was killed at its time limit of {command.timeout_s:,} s.")
    if seen.told("stopped") is not None:
        return _How(Ended.KILLED, "It was stopped before it had ended.")
    code = seen.told("ended")
    if code is None:
        return _How(
            Ended.KILLED, "It was killed because the process that watches over it was stopped or killed."
        )
    if code < 0:
        return _How(Ended.KILLED, _why_killed(command, -code))
    return _How(Ended.EXITED, f"It ended with exit code {code}." if code else "", code)


def _why_refused(command: DeclaredCommand, number: int) -> str:
    program = command.arguments[0]
    if number == errno.ENOENT:
        return (
            f"The program {program} was not found. "
            "Give its full path, or put its folder on the PATH of the process that runs commands."
        )
    reason = os.strerror(number) if number > 0 else "it could not be prepared"
    return f"The program {program} could not be started: {reason}. Check that the file is a program."


def _why_killed(command: DeclaredCommand, number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    guess = {
        "SIGKILL": " Perhaps the machine was short of memory.",
        "SIGABRT": f" Perhaps it needed more than the {command.memory_mb:,} MB that it is allowed.",
        "SIGSEGV": f" Perhaps it needed more than the {command.memory_mb:,} MB that it is allowed.",
        "SIGXFSZ": " It wrote a file of more than 1 GiB.",
    }
    return f"It was killed by {name}.{guess.get(name, '')}"


def _count(command: DeclaredCommand, before: ReportBefore, output: Output) -> tuple[Counted | None, str]:
    """Its tests, or why they cannot be counted. Where a report is declared, nothing else is believed."""
    if not command.report:
        return output.counted(), ""
    try:
        return count_report(read_report(command, before)), ""
    except SourceError as error:
        return None, f"Its report {command.report} {error.message}, so no tests are counted."

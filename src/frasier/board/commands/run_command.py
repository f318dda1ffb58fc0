"""Run a declared command to its end, and return the measurements."""

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
from frasier.board.commands.output import OUTPUT_BYTES_MAX, RunOutput
from frasier.board.commands.report_file import ReportBefore, look_before, read_report
from frasier.board.commands.run_result import RunEnd, RunResult
from frasier.board.commands.supervisor_client import SupervisorReport, supervised
from frasier.board.commands.test_counts import PassCounts
from frasier.kernel.errors import InvalidInput, SourceError
from frasier.kernel.transaction_guard import forbid_open_transaction

# The supervisor enforces the time limit. This much later it counts as stopped itself.
_SUPERVISOR_S = 15.0


async def run_command(
    command: DeclaredCommand, *, stop: asyncio.Event | None = None, output: RunOutput | None = None
) -> RunResult:
    """Run `command`; return when nothing of it is left. `stop` ends it before its time. `output` takes what it prints.

    A command that cannot be started is a result, not an exception. If the caller is cancelled, the command has been
    killed when CancelledError comes out. A nonzero exit code with all tests passed is returned as it is.
    """
    forbid_open_transaction("A declared command")
    began = time.monotonic()
    output, counted = output or RunOutput(), None
    try:
        before = await asyncio.to_thread(_prepare, command)
        ending = _ending(command, output, await _watch(command, output, stop))
    except InvalidInput as refused:
        ending = _Ending(RunEnd.NOT_STARTED, f"{refused.message} {refused.hint}".strip())
    else:
        if ending.ended is RunEnd.EXITED:
            counted, trouble = await asyncio.to_thread(_count, command, before, output)
            ending.why = f"{ending.why} {trouble}".strip()
    return RunResult(
        exit_code=ending.code,
        ended=ending.ended,
        passed=counted.passed if counted else None,
        total=counted.total if counted else None,
        output_digest=output.digest,
        output_bytes=output.size,
        tail=await asyncio.to_thread(output.tail),
        took_s=time.monotonic() - began,
        why=ending.why,
    )


def _prepare(command: DeclaredCommand) -> ReportBefore:
    check_command(command)
    check_folder(command)
    return look_before(command)


async def _watch(command: DeclaredCommand, output: RunOutput, stop: asyncio.Event | None) -> SupervisorReport:
    """Let the command run until it ends or must be stopped. Return the supervisor's report at the end."""
    full = asyncio.Event()

    async def take(data: bytes) -> None:
        # In a thread: to count what a hostile command prints takes long, and others need the loop.
        await asyncio.to_thread(output.take, data)
        if output.too_much:
            full.set()

    async with supervised(command, take) as report:
        events = [asyncio.ensure_future(event.wait()) for event in (full, stop) if event is not None]
        reasons: list[asyncio.Future[Any]] = [report.over, *events]
        try:
            timeout_s = command.timeout_s + _SUPERVISOR_S
            await asyncio.wait(reasons, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for waiting in events:
                waiting.cancel()
    return report


@dataclass(slots=True)
class _Ending:
    ended: RunEnd
    why: str
    code: int | None = None


def _ending(command: DeclaredCommand, output: RunOutput, report: SupervisorReport) -> _Ending:
    if number := report.number_after("refused"):
        return _Ending(RunEnd.NOT_STARTED, _why_refused(command, number))
    if output.too_much:
        return _Ending(
            RunEnd.KILLED, f"It was killed because it printed more than {OUTPUT_BYTES_MAX >> 20} MiB."
        )
    if report.number_after("timed_out") is not None:
        return _Ending(RunEnd.TIMED_OUT, f"It was killed at its time limit of {command.timeout_s:,} s.")
    if report.number_after("stopped") is not None:
        return _Ending(RunEnd.KILLED, "It was stopped before it had ended.")
    code = report.number_after("ended")
    if code is None:
        return _Ending(RunEnd.KILLED, "It was killed because its supervisor was stopped or killed.")
    if code < 0:
        return _Ending(RunEnd.KILLED, _why_killed(command, -code))
    return _Ending(RunEnd.EXITED, f"It ended with exit code {code}." if code else "", code)


def _why_refused(command: DeclaredCommand, number: int) -> str:
    program = command.arguments[0]
    if number == errno.ENOENT:
        return (
            f"The program {program} was not found. "
            "Give its full path, or put its folder on the PATH of the process that runs commands."
        )
    reason = os.strerror(number) if number > 0 else "it could not be prepared"
    return f"The program {program} could not be started: {reason}. Check that the file is executable."


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


def _count(
    command: DeclaredCommand, before: ReportBefore, output: RunOutput
) -> tuple[PassCounts | None, str]:
    """Return the test counts, or the reason why there are none. If a report is declared, nothing else is believed."""
    if not command.report:
        return output.counted(), ""
    try:
        return count_report(read_report(command, before)), ""
    except SourceError as error:
        return None, f"Its report {command.report} {error.message}, so no tests are counted."

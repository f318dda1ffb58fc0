"""Declared commands are run within their bounds, nothing of them is left behind, and what they did is told as it is.

A FIFO tells whether a process lives: while one has it open for writing, a reader finds no end.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from frasier.board.commands.declared_command import DeclaredCommand, check_command
from frasier.board.commands.output import OUTPUT_BYTES_MAX, TAIL_CHARS_MAX
from frasier.board.commands.run_command import run_command
from frasier.board.commands.run_result import RunEnd, RunResult
from frasier.kernel.errors import InvalidInput, InvariantBroken
from frasier.kernel.transaction_guard import transaction_open

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="what has left the group is found under Linux only"
)

NOTHING = hashlib.sha256(b"").hexdigest()
DEADLINE_S = 60

# Opens the FIFO "alive", says so, and goes on for ever.
LIVE = "import os, signal; f = os.open('alive', os.O_WRONLY); os.write(f, b'x'); signal.pause()"
# The same in a process of its own, which outlives the one that starts it.
LEAVE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {LIVE!r}], start_new_session=AWAY)"
# Waits until the test says that it has seen that.
SEEN = "open('seen').read()"


def declare(folder: Path, *arguments: str, **others: object) -> DeclaredCommand:
    declared = DeclaredCommand(
        name="tests",
        arguments=arguments,
        folder=Path(os.path.realpath(folder)),
        timeout_s=DEADLINE_S,
        memory_mb=2_048,
    )
    return dataclasses.replace(declared, **others)


def python(folder: Path, code: str, **others: object) -> DeclaredCommand:
    return declare(folder, sys.executable, "-c", code, **others)


class Life:
    """Whether somebody holds the FIFO open."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "alive")
        os.mkfifo(folder / "seen")
        self.number = os.open(folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
        self.begun = asyncio.Event()
        asyncio.get_running_loop().add_reader(self.number, self._begin)

    def _begin(self) -> None:
        asyncio.get_running_loop().remove_reader(self.number)
        self.begun.set()

    def is_over(self) -> bool:
        """Somebody lived, and nobody does now."""
        assert os.read(self.number, 100).startswith(b"x")
        try:
            return os.read(self.number, 100) == b""
        except BlockingIOError:
            return False

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.number)
        os.close(self.number)


@pytest.fixture
async def life(tmp_path: Path):
    life = Life(tmp_path)
    yield life
    life.close()


# What it did


async def test_what_it_printed_and_how_it_ended_is_told(tmp_path: Path) -> None:
    ran = await run_command(
        python(tmp_path, "import os; os.write(1, b'out\\n'); os.write(2, b'3 passed in 1s\\n')")
    )
    printed = b"out\n3 passed in 1s\n"
    assert ran == RunResult(
        exit_code=0,
        ended=RunEnd.EXITED,
        passed=3,
        total=3,
        output_digest=hashlib.sha256(printed).hexdigest(),
        output_bytes=len(printed),
        tail="out\n3 passed in 1s",
        took_s=ran.took_s,
        why="",
    )
    assert ran.all_passed


@pytest.mark.parametrize(
    ("code", "exit_code", "counts", "all_passed"),
    [
        ("print('3 passed in 1s')", 0, (3, 3), True),
        ("print('3 passed in 1s'); raise SystemExit(2)", 2, (3, 3), False),
        ("print('3 passed, 1 failed in 1s')", 0, (3, 4), False),
        ("print('no tests ran in 1s')", 0, (0, 0), False),
        ("print('done')", 0, (None, None), False),
    ],
)
async def test_all_passed_only_where_the_exit_code_says_so_too(
    tmp_path: Path, code: str, exit_code: int, counts: tuple[int | None, int | None], all_passed: bool
) -> None:
    ran = await run_command(python(tmp_path, code))
    assert (ran.exit_code, (ran.passed, ran.total), ran.all_passed) == (exit_code, counts, all_passed)
    assert ran.why == (f"It ended with exit code {exit_code}." if exit_code else "")


async def test_the_tail_holds_no_secret_no_colour_and_no_control_character(tmp_path: Path) -> None:
    key = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3sT5vW7xY9z"
    code = f"print('x' * 3000); print('\\x1b[31mred\\x1b[0m\\x00\\x07 {key[:9]}\\x1b[1m{key[9:]}'); print('y' * 3000)"
    ran = await run_command(python(tmp_path, code))
    assert len(ran.tail) == TAIL_CHARS_MAX
    assert "\nred [redacted]\n" in ran.tail


async def test_a_secret_on_the_edge_of_the_tail_is_taken_out_whole(tmp_path: Path) -> None:
    key = "sk-ant-api03-aB3dE5gH7jK9mN1pQ3sT5vW7xY9z"
    code = f"print('z\\n' * 90_000 + '{key} ' + 'y' * {TAIL_CHARS_MAX - 10}, end='')"
    ran = await run_command(python(tmp_path, code))
    assert ran.tail == "[redacted] "[-10:] + "y" * (TAIL_CHARS_MAX - 10)


async def test_arguments_are_no_shell_s_and_arrive_as_they_are(tmp_path: Path) -> None:
    given = ("$HOME; echo `id`", "", "-x", "grün\n", "*")
    code = "import sys, json; print(json.dumps(sys.argv[1:]))"
    ran = await run_command(declare(tmp_path, sys.executable, "-c", code, *given))
    assert json.loads(ran.tail) == list(given)


async def test_it_runs_in_its_folder_with_nothing_to_read(tmp_path: Path) -> None:
    ran = await run_command(python(tmp_path, "import os, sys; print(os.getcwd(), repr(sys.stdin.read()))"))
    assert ran.tail == f"{os.path.realpath(tmp_path)} ''"


async def test_a_program_in_the_folder_is_found_by_its_path_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho ours\n", "utf-8")
    (tmp_path / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}:")
    assert (await run_command(declare(tmp_path, "./tool"))).tail == "ours"
    assert (await run_command(declare(tmp_path, "tool"))).ended is RunEnd.NOT_STARTED


async def test_no_variable_but_four_reaches_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FRASIER_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "PYTHONPATH", "LC_ALL", "PGPASSWORD"):
        monkeypatch.setenv(name, "C")
    monkeypatch.setenv("LANG", "C")
    ran = await run_command(declare(tmp_path, "env"))
    assert {line.partition("=")[0] for line in ran.tail.splitlines()} == {"PATH", "HOME", "LANG", "TMPDIR"}


async def test_no_descriptor_of_ours_reaches_it(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        ran = await run_command(
            python(tmp_path, "import os; print(sorted(os.listdir('/proc/self/fd'), key=int))")
        )
    finally:
        os.close(read)
        os.close(write)
    assert ran.tail == "['0', '1', '2', '3']"  # the last is the listing itself


async def test_signals_do_to_it_what_they_do_to_any_program(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        ran = await run_command(declare(tmp_path, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"))
    finally:
        signal.signal(signal.SIGQUIT, before)
    masks = [int(line.split()[1], 16) for line in ran.tail.splitlines()]
    # The C library keeps two signals for itself: nobody can change what was inherited of those.
    changeable = sum(1 << (number - 1) for number in signal.valid_signals())
    assert [mask & changeable for mask in masks] == [0, 0]


# Its bounds


@pytest.mark.parametrize("away", [False, True])
async def test_at_the_time_limit_what_it_has_started_dies_too(tmp_path: Path, life: Life, away: bool) -> None:
    code = LEAVE.replace("AWAY", str(away)) + "; import signal; signal.pause()"
    ran = await run_command(python(tmp_path, code, timeout_s=6))
    assert (ran.ended, ran.exit_code, ran.total) == (RunEnd.TIMED_OUT, None, None)
    assert ran.why == "It was killed at its time limit of 6 s."
    assert life.is_over()


@pytest.mark.parametrize("away", [False, True])
async def test_what_outlives_it_dies_at_its_end(tmp_path: Path, life: Life, away: bool) -> None:
    # It ends when the one that it leaves behind has opened the FIFO.
    code = LEAVE.replace("AWAY", str(away)) + "\n" + SEEN
    running = asyncio.ensure_future(run_command(python(tmp_path, code)))
    await asyncio.wait_for(life.begun.wait(), DEADLINE_S)
    await asyncio.to_thread((tmp_path / "seen").write_text, "yes")
    ran = await running
    assert (ran.ended, ran.exit_code) == (RunEnd.EXITED, 0)
    assert life.is_over()


async def test_a_caller_that_is_cancelled_leaves_nothing_running(tmp_path: Path, life: Life) -> None:
    code = LEAVE.replace("AWAY", "True") + "; import signal; signal.pause()"
    running = asyncio.ensure_future(run_command(python(tmp_path, code)))
    await asyncio.wait_for(life.begun.wait(), DEADLINE_S)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert life.is_over()


async def test_a_program_that_ends_and_cancels_all_its_tasks_leaves_nothing_running(
    tmp_path: Path, life: Life
) -> None:
    others = asyncio.all_tasks()
    code = LEAVE.replace("AWAY", "True") + "; import signal; signal.pause()"
    running = asyncio.ensure_future(run_command(python(tmp_path, code)))
    await asyncio.wait_for(life.begun.wait(), DEADLINE_S)
    for task in asyncio.all_tasks() - others:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert life.is_over()


async def test_it_can_be_stopped(tmp_path: Path, life: Life) -> None:
    ran = await run_command(python(tmp_path, LIVE), stop=life.begun)
    assert (ran.ended, ran.exit_code, ran.why) == (RunEnd.KILLED, None, "It was stopped before it had ended.")
    assert life.is_over()


async def test_it_does_not_outlive_a_program_that_was_killed(tmp_path: Path, life: Life) -> None:
    code = LEAVE.replace("AWAY", "True") + "; import signal; signal.pause()"
    ours = f"import asyncio\nfrom pathlib import Path, PosixPath\nfrom frasier.board.commands.declared_command import DeclaredCommand\nfrom frasier.board.commands.run_command import run_command\nasyncio.run(run_command({python(tmp_path, code)!r}))"
    owner = subprocess.Popen([sys.executable, "-c", ours])
    try:
        await asyncio.wait_for(life.begun.wait(), DEADLINE_S)
    finally:
        owner.kill()
        owner.wait()
    assert os.read(life.number, 100) == b"x"
    watch = select.poll()
    watch.register(life.number, 0)  # the end alone, which is always told
    told = await asyncio.to_thread(watch.poll, DEADLINE_S * 1_000)
    assert told == [(life.number, select.POLLHUP)]


@pytest.mark.parametrize("with_signal", ["SIGKILL", "SIGSTOP"])
async def test_a_command_that_attacks_its_supervisor_dies_of_it(
    tmp_path: Path, life: Life, with_signal: str
) -> None:
    attack = f"import os, signal; os.kill(os.getppid(), signal.{with_signal})"
    code = f"{LEAVE.replace('AWAY', 'False')}\n{SEEN}\n{attack}; signal.pause()"
    stop = asyncio.Event()
    running = asyncio.ensure_future(run_command(python(tmp_path, code), stop=stop))
    await asyncio.wait_for(life.begun.wait(), DEADLINE_S)
    await asyncio.to_thread((tmp_path / "seen").write_text, "yes")
    if with_signal == "SIGSTOP":
        stop.set()
    ran = await running
    assert ran.ended is RunEnd.KILLED
    assert life.is_over()


async def test_it_gets_no_more_memory_than_is_declared(tmp_path: Path) -> None:
    code = "bytearray(50 << 20); print('little'); bytearray(900 << 20); print('much')"
    ran = await run_command(python(tmp_path, code, memory_mb=512))
    assert (ran.ended, ran.exit_code) == (RunEnd.EXITED, 1)
    assert "little" in ran.tail
    assert "MemoryError" in ran.tail
    assert (await run_command(python(tmp_path, code, memory_mb=2_048))).exit_code == 0


async def test_too_much_output_ends_it(tmp_path: Path) -> None:
    ran = await run_command(declare(tmp_path, "yes", "x" * 1_023))
    assert (ran.ended, ran.exit_code, ran.total) == (RunEnd.KILLED, None, None)
    assert ran.why == "It was killed because it printed more than 64 MiB."
    assert ran.output_bytes == OUTPUT_BYTES_MAX
    assert ran.output_digest == hashlib.sha256((b"x" * 1_023 + b"\n") * (OUTPUT_BYTES_MAX >> 10)).hexdigest()


async def test_as_much_output_as_is_allowed_does_not(tmp_path: Path) -> None:
    ran = await run_command(declare(tmp_path, "head", "-c", str(OUTPUT_BYTES_MAX), "/dev/zero"))
    assert (ran.exit_code, ran.output_bytes, ran.tail) == (0, OUTPUT_BYTES_MAX, "")


async def test_a_file_that_grows_too_large_ends_it(tmp_path: Path) -> None:
    ran = await run_command(declare(tmp_path, "dd", "if=/dev/zero", "of=big", "bs=1", "count=1", "seek=2G"))
    assert (ran.ended, ran.why) == (
        RunEnd.KILLED,
        "It was killed by SIGXFSZ. It wrote a file of more than 1 GiB.",
    )


async def test_death_by_a_signal_is_told(tmp_path: Path) -> None:
    ran = await run_command(python(tmp_path, "import os; os.kill(os.getpid(), 9)"))
    assert (ran.ended, ran.exit_code) == (RunEnd.KILLED, None)
    assert ran.why == "It was killed by SIGKILL. Perhaps the machine was short of memory."


async def test_many_run_at_once_and_leave_no_zombie(tmp_path: Path) -> None:
    ran = await asyncio.gather(
        *(run_command(declare(tmp_path, "echo", f"{n} passed in 1s")) for n in range(20))
    )
    assert [each.passed for each in ran] == list(range(20))
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    names = [Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] for pid in children]
    assert "Z" not in names


async def test_none_runs_while_a_transaction_is_open(tmp_path: Path) -> None:
    with transaction_open(), pytest.raises(InvariantBroken):
        await run_command(declare(tmp_path, "true"))


# What cannot be started


ELSEWHERE = "Give its full path, or put its folder on the PATH of the process that runs commands."


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ("no-such-program",),
            f"The program no-such-program was not found. {ELSEWHERE}",
        ),
        (
            ("/dev/null",),
            "The program /dev/null could not be started: Permission denied. Check that the file is executable.",
        ),
        (
            ("./text",),
            "The program ./text could not be started: Exec format error. Check that the file is executable.",
        ),
    ],
)
async def test_a_missing_program_is_told_with_a_hint(
    tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    (tmp_path / "text").write_text("echo not a program\n", "utf-8")
    (tmp_path / "text").chmod(0o755)
    ran = await run_command(declare(tmp_path, *arguments))
    assert ran == RunResult(
        exit_code=None,
        ended=RunEnd.NOT_STARTED,
        passed=None,
        total=None,
        output_digest=NOTHING,
        output_bytes=0,
        tail="",
        took_s=ran.took_s,
        why=why,
    )


async def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    ran = await run_command(declare(tmp_path / "gone", "true"))
    assert ran.ended is RunEnd.NOT_STARTED
    assert ran.why.startswith(f"There is no folder {os.path.realpath(tmp_path)}/gone. Make the folder")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": "Tests"}, "'Tests' is not a valid command name."),
        ({"name": "a" * 41}, "is not a valid command name."),
        ({"name": "tests\n"}, "is not a valid command name."),
        ({"arguments": ()}, "A command of 0 parts is not possible."),
        ({"arguments": ("x",) * 65}, "A command of 65 parts is not possible."),
        ({"arguments": ("",)}, "The command names no program."),
        ({"arguments": ("a", "b" * 4_001)}, "Part 2 of the command has 4,001 characters, more than 4,000."),
        (
            {"arguments": ("a", "b\0")},
            "Part 2 of the command holds a character that is not allowed in arguments.",
        ),
        (
            {"arguments": ("a\ud800",)},
            "Part 1 of the command holds a character that is not allowed in arguments.",
        ),
        ({"timeout_s": 0}, "A time limit of 0 s is not possible."),
        ({"timeout_s": 3_601}, "A time limit of 3601 s is not possible."),
        ({"memory_mb": 63}, "A memory limit of 63 MB is not possible."),
        ({"memory_mb": 16_385}, "A memory limit of 16385 MB is not possible."),
        ({"folder": Path("here")}, "The folder here is not an absolute path."),
        ({"folder": Path("/proc/self")}, "The folder /proc/self is a link to /proc/"),
        ({"folder": Path("/x\0")}, "The path of the folder is not a path."),
        ({"report": "/etc/passwd"}, "The report's path /etc/passwd is not relative."),
        ({"report": "../x.xml"}, "The report ../x.xml is not inside the folder"),
        ({"report": "a/.."}, "The report a/.. is not inside the folder"),
        ({"report": "x\0"}, "The path of the report is not a path."),
    ],
)
async def test_what_cannot_be_run_as_declared_is_refused(
    tmp_path: Path, wrong: dict[str, object], message: str
) -> None:
    command = declare(tmp_path, "true")
    check_command(command)
    with pytest.raises(InvalidInput) as refused:
        check_command(dataclasses.replace(command, **wrong))
    assert message in refused.value.message
    assert refused.value.kept
    assert refused.value.hint or refused.value.advice or refused.value.facts
    ran = await run_command(dataclasses.replace(command, **wrong))
    assert (ran.ended, message in ran.why) == (RunEnd.NOT_STARTED, True)


# Its report


WRITE = "open('report.xml', 'w').write('<testsuite><testcase/><testcase><failure/></testcase></testsuite>')"


async def test_the_report_counts_and_not_what_is_printed(tmp_path: Path) -> None:
    ran = await run_command(python(tmp_path, f"{WRITE}; print('9 passed in 1s')", report="report.xml"))
    assert (ran.passed, ran.total, ran.why) == (1, 2, "")


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        ("", "was not written"),
        ("import os; os.mkdir('report.xml')", "is not a file"),
        ("import os; os.mkfifo('report.xml')", "is not a file"),
        ("import os; os.symlink('report.xml', 'report.xml')", "cannot be opened"),
        ("open('report.xml', 'w').write('<!DOCTYPE x>')", "declares a document type"),
        ("open('report.xml', 'w').truncate(21 << 20)", "is larger than 20 MiB"),
        (f"{WRITE}; import os; os.utime('report.xml', (0, 0))", "is from before this run"),
        ("import os; os.symlink('/etc/hostname', 'report.xml')", "leads out of the folder of the command"),
    ],
)
async def test_a_report_that_cannot_be_believed_counts_nothing(
    tmp_path: Path, code: str, trouble: str
) -> None:
    ran = await run_command(python(tmp_path, f"{code}\nprint('9 passed in 1s')", report="report.xml"))
    assert (ran.ended, ran.exit_code, ran.passed, ran.total) == (RunEnd.EXITED, 0, None, None)
    assert ran.why == f"Its report report.xml {trouble}, so no tests are counted."
    assert not ran.all_passed


@pytest.mark.parametrize("time_s", [0, 4_000_000_000])
async def test_a_stale_report_is_passed_over_whatever_its_time_says(tmp_path: Path, time_s: int) -> None:
    report = tmp_path / "report.xml"
    report.write_text("<testsuite><testcase/></testsuite>", "utf-8")
    os.utime(report, (time_s, time_s))
    ran = await run_command(declare(tmp_path, "true", report="report.xml"))
    assert (ran.exit_code, ran.total) == (0, None)
    assert "is from before this run" in ran.why


async def test_a_report_that_leads_out_of_the_folder_is_refused_before_it_is_run(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "reports").symlink_to(outside)
    command = declare(folder, "touch", "ran", report="reports/report.xml")
    with pytest.raises(InvalidInput):
        check_command(command)
    assert (await run_command(command)).ended is RunEnd.NOT_STARTED
    assert not (folder / "ran").exists()


async def test_a_report_behind_a_link_inside_of_the_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "reports").symlink_to("real")
    code = f"import os; os.chdir('reports'); {WRITE}"
    ran = await run_command(python(tmp_path, code, report="reports/report.xml"))
    assert (ran.passed, ran.total) == (1, 2)


async def test_the_report_of_a_real_runner_counts(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("def test_a(): pass\ndef test_b(): assert 0\n", "utf-8")
    arguments = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "report.xml")
    with_report = await run_command(declare(tmp_path, *arguments, report="report.xml"))
    from_output = await run_command(declare(tmp_path, *arguments))
    for ran in (with_report, from_output):
        assert (ran.exit_code, ran.passed, ran.total, ran.all_passed) == (1, 1, 2, False)

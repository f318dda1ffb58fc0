"""Stands between us and a declared command: bounds it, watches it, and leaves nothing of it running.

Called as `supervisor.py SECONDS BYTES PROGRAM ARGUMENT…`, by its path and with nothing but the standard library.
A program of its own, for three reasons. Limits have to be set between fork and exec, and in our process, which has
threads, nothing may run there. What a command starts and leaves behind becomes, under Linux, the child of this
process and of no other, so that also what has left the command's process group is found and killed. And its standard
input is a pipe that we hold: when that ends, because we want it or because we were killed, the command is ended.

It tells on its standard error, a line each: `started PID`, or `refused ERRNO` where there is no such program; then
`ended CODE` (negative: by that signal), `timed_out` or `stopped`, when nothing of the command is left.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

FILE_BYTES_MAX = 1 << 30

_ENVIRONMENT = ("PATH", "HOME", "LANG", "TMPDIR")
_CONTROL, _STATUS = 0, 2
_LOOK_AGAIN_S = 0.02
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
# What is ignored stays so in a program that is started: Python ignores some, and whoever started us may have, too.
_SIGNALS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


def main() -> None:
    seconds, memory_bytes, arguments = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    deadline = time.monotonic() + seconds
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(
            number, signal.SIG_IGN
        )  # a command that signals whatever it can reach does not end its watch
    wake = _wake_at_end_of_child()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    leader, refused = _start(arguments, memory_bytes)
    if refused:
        os.waitpid(leader, 0)
        _tell(f"refused {refused}")
        return
    _tell(f"started {leader}")
    how = _watch(leader, wake, deadline)
    _end_all(leader, wake)
    _tell(how)


def _start(arguments: list[str], memory_bytes: int) -> tuple[int, int]:
    """The command's process, and the number of the error that kept it from being started, or 0."""
    supervisor = os.getpid()
    told, tell = os.pipe()
    leader = os.fork()
    if leader == 0:
        number = -1
        try:
            _become(arguments, memory_bytes, supervisor)
        except OSError as error:
            number = error.errno or -1
        finally:
            os.write(tell, str(number).encode())
            os._exit(127)
    os.close(tell)
    error_number = os.read(told, 20)  # nothing where the program was started: exec has closed the pipe
    os.close(told)
    return leader, int(error_number or b"0")


def _become(arguments: list[str], memory_bytes: int, supervisor: int) -> NoReturn:
    os.setsid()
    # Where somebody kills the supervisor, this process goes with it.
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:
        os._exit(127)
    # Where the machine runs out of memory, the kernel takes this process before it takes a worker.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    # All other descriptors close at exec: Python opens none that are inherited, and none came with this process.
    os.dup2(os.open(os.devnull, os.O_RDWR), _CONTROL)
    os.dup2(1, _STATUS)
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, FILE_BYTES_MAX)
    if (
        sys.platform == "linux"
    ):  # elsewhere the kernel knows no bound on address space; the time limit remains
        _limit(resource.RLIMIT_AS, memory_bytes)
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    os.execvpe(arguments[0], arguments, environment)  # noqa: S606 - what the founder declared, and no shell


def _limit(what: int, most: int) -> None:
    """Bounds this process and its children; they cannot undo it. A tighter bound that holds already stays."""
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _watch(leader: int, wake: int, deadline: float) -> str:
    """How it ended, or must end: by itself, because its time is up, or because the control pipe has ended."""
    while (left_s := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([_CONTROL, wake], [], [], left_s)
        _drain(wake)
        if (code := _code_of_ended(leader)) is not None:
            return f"ended {code}"
        if _CONTROL in ready:
            return "stopped"
    return "timed_out"


def _code_of_ended(leader: int) -> int | None:
    """The exit code of the command, or minus the signal that killed it; None while it runs. Reaps other children.

    The command itself is not reaped yet, so that the number of its process group remains its own.
    """
    if sys.platform != "linux":
        pid, status = os.waitpid(leader, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None
    while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is not None:
        if ended.si_pid == leader:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        os.waitpid(ended.si_pid, 0)
    return None


def _end_all(leader: int, wake: int) -> None:
    """Kills the group, and then whoever becomes our child by the death of its parent, until we have no child."""
    with suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    while True:
        for child in _children():
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        # Also without a signal, because the kernel's list of children may miss one while they change.
        select.select([wake], [], [], _LOOK_AGAIN_S)
        _drain(wake)


def _children() -> list[int]:
    try:
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(pid) for pid in listed.split()]


def _wake_at_end_of_child() -> int:
    """A descriptor that can be read from when a child has ended."""
    wake, woken = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return wake


def _drain(wake: int) -> None:
    with suppress(BlockingIOError):
        while os.read(wake, 512):
            pass


def _prctl(option: int, value: int) -> None:
    if sys.platform != "linux":
        return
    try:
        import ctypes  # noqa: PLC0415 - a Python without it can still do the rest
    except ImportError:
        return
    rest = [ctypes.c_ulong(number) for number in (value, 0, 0, 0)]
    ctypes.CDLL(None).prctl(ctypes.c_int(option), *rest)


def _tell(line: str) -> None:
    with suppress(OSError):  # where nobody listens any more
        os.write(_STATUS, line.encode() + b"\n")


if __name__ == "__main__":
    main()

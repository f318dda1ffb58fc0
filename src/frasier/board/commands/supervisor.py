"""The supervisor between us and a declared command: limits it, watches it, and leaves nothing of it running.

Called as `supervisor.py SECONDS BYTES PROGRAM ARGUMENT…`, by its path and with nothing but the standard library. It is
a program of its own for three reasons. Limits have to be set between fork and exec, and in our process, which has
threads, nothing may run there. What a command starts and leaves behind becomes, under Linux, the child of this process
and of no other, so that even what has left the command's process group is found and killed. And its standard input is a
pipe that we hold: when that ends, because we want it or because we were killed, the command is ended.

It reports on its standard error, a line each: `started PID`, or `refused ERRNO` if the program cannot be started; then
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
# Ignored signals stay ignored after exec: Python ignores some, and so may whoever started us.
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
        _report(f"refused {refused}")
        return
    _report(f"started {leader}")
    how = _watch(leader, wake, deadline)
    _end_all(leader, wake)
    _report(how)


def _start(arguments: list[str], memory_bytes: int) -> tuple[int, int]:
    """Start the command. Return its process id, and the error number that kept it from being started, or 0."""
    supervisor = os.getpid()
    reader, writer = os.pipe()
    leader = os.fork()
    if leader == 0:
        number = -1
        try:
            _become(arguments, memory_bytes, supervisor)
        except OSError as error:
            number = error.errno or -1
        finally:
            os.write(writer, str(number).encode())
            os._exit(127)
    os.close(writer)
    error_number = os.read(reader, 20)  # nothing where the program was started: exec has closed the pipe
    os.close(reader)
    return leader, int(error_number or b"0")


def _become(arguments: list[str], memory_bytes: int, supervisor: int) -> NoReturn:
    os.setsid()
    # If the supervisor is killed, this process dies with it.
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:
        os._exit(127)
    # If memory runs out, the kernel kills this process before a worker.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    # All other descriptors close at exec: Python opens none that are inherited, and this process inherited none.
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


def _limit(resource_id: int, limit: int) -> None:
    """Limit this process and its children, irrevocably. A tighter limit that holds already stays."""
    _, hard = resource.getrlimit(resource_id)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource_id, (limit, limit))


def _watch(leader: int, wake: int, deadline: float) -> str:
    """Wait until the command ends, its time is up, or the control pipe ends; return the line to report."""
    while (left_s := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([_CONTROL, wake], [], [], left_s)
        _drain(wake)
        if (code := _code_of_ended(leader)) is not None:
            return f"ended {code}"
        if _CONTROL in ready:
            return "stopped"
    return "timed_out"


def _code_of_ended(leader: int) -> int | None:
    """Return the exit code of the command, or minus the signal that killed it; None while it runs. Reaps other
    children.

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
    """Kill the group, and then whatever becomes our child by the death of its parent, until we have no child."""
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
    """Return a descriptor that becomes readable when a child has ended."""
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


def _report(line: str) -> None:
    with suppress(OSError):  # nobody reads any more
        os.write(_STATUS, line.encode() + b"\n")


if __name__ == "__main__":
    main()

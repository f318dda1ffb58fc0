"""The parent side of `untrusted`: a killable child process that reads PDF, DOCX, XLSX and HTML.

A malicious file can make a parser hang, exhaust memory or crash. Here it affects only its own process, which has a
time limit for each file, a bound on memory, no secrets in its environment, and no way to write files. It also keeps the
parsers' libraries out of the worker's memory.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from frasier.kernel.errors import InvariantBroken, SourceError
from frasier.kernel.source_places import PlaceMark
from frasier.work.research.documents.types import DocumentLimits, Media
from frasier.work.research.documents.untrusted.parsed import Parsed

_START_TIMEOUT_S = 60.0
_IDLE_S = 60.0
_GRACE_S = 5
_REPLY_BYTES_PER_CHAR = 12  # JSON writes a character outside the BMP as two escapes of six bytes


class ParserProcess:
    """A child process that reads files one at a time. It starts when needed, and ends when idle for a minute.

    Safe to share between threads. Close it, or use it as a context manager.
    """

    def __init__(self, limits: DocumentLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._idle: threading.Timer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._stop()

    def parse(self, media: Media, data: bytes, *, url: str = "") -> Parsed:
        """Parse `data` with the reader of `media`; HTML must be UTF-8.

        Raises SourceError, whose message is a predicate ("is protected by a password").
        """
        header = {
            "media": media.value,
            "size": len(data),
            "seconds": math.ceil(self._limits.parse_timeout_s) + _GRACE_S,
            "url": url,
            "chars_max": self._limits.document_chars_max,
            "pages_max": self._limits.pdf_pages_max,
            "rows_max": self._limits.csv_rows_max,
        }
        with self._lock:
            child = self._running_child()
            request = json.dumps(header).encode() + b"\n" + data
            line = self._exchange(child, request, timeout_s=self._limits.parse_timeout_s)
            self._end_when_idle()
            try:
                return _read_reply(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                self._stop()
                raise SourceError("made its reader fail") from error

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self._stop()
        self._child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-B", "-m", "untrusted", str(self._limits.parse_memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_child_environment(),
            start_new_session=True,
        )
        try:
            self._exchange(self._child, b"", timeout_s=_START_TIMEOUT_S)
        except SourceError as error:
            raise InvariantBroken("The process that reads documents could not be started.") from error
        return self._child

    def _exchange(self, child: subprocess.Popen[bytes], request: bytes, *, timeout_s: float) -> bytes:
        """Send `request` and return the line that answers it, or kill the child at the time-out."""
        assert child.stdin is not None
        assert child.stdout is not None
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            child.kill()

        timer = threading.Timer(timeout_s, expire)
        timer.start()
        line, failure = b"", None
        try:
            child.stdin.write(request)
            child.stdin.flush()
            line = child.stdout.readline(self._limits.document_chars_max * _REPLY_BYTES_PER_CHAR + 1_000_000)
        except OSError as error:
            failure = error
        finally:
            timer.cancel()
        if line.endswith(b"\n") and not expired.is_set():
            return line
        self._stop()
        if expired.is_set():
            raise SourceError(f"takes longer to read than the {timeout_s:g} s that are allowed") from failure
        raise SourceError("made its reader fail") from failure

    def _end_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = threading.Timer(_IDLE_S, self.close)
        self._idle.daemon = True
        self._idle.start()

    def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                _close_quietly(pipe)


def _close_quietly(pipe: Any) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        # Data buffered for a killed child cannot be sent. Closing still frees the descriptor.
        return


def _child_environment() -> dict[str, str]:
    # The child loads `untrusted` by its short name, from the last place of the path: under its full name it
    # would first load every slice of the product. It inherits no variable, because some of ours are secrets.
    path = [entry for entry in sys.path if entry] + [str(Path(__file__).parent)]
    return {"PYTHONPATH": os.pathsep.join(path), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}


def _read_reply(reply: dict[str, Any]) -> Parsed:
    if "refused" in reply:
        raise SourceError(str(reply["refused"]))
    return Parsed(
        title=str(reply["title"]),
        text=str(reply["text"]),
        notes=tuple(str(note) for note in reply["notes"]),
        links=tuple(str(link) for link in reply["links"]),
        marks=tuple(
            PlaceMark(line=int(mark["line"]), page=int(mark["page"]), fragment=str(mark["fragment"]))
            for mark in reply["marks"]
        ),
    )

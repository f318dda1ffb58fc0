"""The log of unexpected errors in the home, so that people at the terminal read a sentence and not a traceback."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from frasier import __version__
from frasier.kernel.logging_setup import mask_url

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application

_NAME = "defects.log"


def log_defect(error: Exception, application: Application) -> Path | None:
    """Append an error with its traceback to the log, which only its owner can read; return its path.

    None where it cannot be written, or there is no home yet.
    """
    # Whatever went wrong may go wrong here again, and must not hide the error itself.
    with suppress(Exception):
        path = application.place().home / _NAME
        command = " ".join(word for word in sys.argv[1:3] if word.isalpha())
        head = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, Frasier {__version__}, frasier {command}\n"
        text = head + mask_url("".join(traceback.format_exception(error)))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{text}\n")
        return path
    return None

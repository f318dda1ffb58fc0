"""The log of unexpected errors in the home, so that people at the terminal read a sentence and not a traceback."""

from __future__ import annotations

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
        from frasier.store import open_to_append

        path = application.place().home / _NAME
        command = " ".join(word for word in sys.argv[1:3] if word.isalpha())
        head = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, Frasier {__version__}, frasier {command}\n"
        text = head + mask_url("".join(traceback.format_exception(error)))
        with open_to_append(path) as file:
            file.write(f"{text}\n".encode(errors="backslashreplace"))
        return path
    return None

"""The destination of a new token: alone on standard output, or in a file that only its owner can read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from frasier.interfaces.cli.output import write_out
from frasier.kernel.errors import ConfigurationError, InvalidInput

OutOption = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="Put the token into a new file that only you can read."),
]


@contextmanager
def token_place(out: str | None) -> Iterator[Callable[[str], None]]:
    """Return the function that stores the token. The file is created before the token, so that no token is made in
    vain.

    A file that received no token is removed again. Raises InvalidInput if it cannot be created or exists already, and
    ConfigurationError if it cannot be written.
    """
    if out is None:
        yield _print
        return
    try:
        path = Path(out).expanduser()
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it is no name of a file"
        raise InvalidInput(
            f"The token cannot be put into {out[:200]!r}: {reason.lower()}.",
            kept="No token was made.",
            hint="Name a new file in a folder of yours with --out.",
        ) from error
    try:

        def put(token: str) -> None:
            try:
                os.write(number, f"{token}\n".encode())
            except OSError as error:
                raise ConfigurationError(
                    f"The token cannot be written to {path}: {(error.strerror or type(error).__name__).lower()}.",
                    kept="It is made, and nobody has it.",
                    hint="Revoke it with `frasier memory token revoke NAME`, make room, and do this again.",
                ) from error

        yield put
    finally:
        if not os.fstat(number).st_size:
            path.unlink(missing_ok=True)
        os.close(number)


def _print(token: str) -> None:
    write_out(token + "\n")

"""The option that names a board."""

from __future__ import annotations

from typing import Annotated

import typer

BoardOption = Annotated[
    str | None,
    typer.Option("--board", "-b", help="The board; by default the only one that there is for you."),
]

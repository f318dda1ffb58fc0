"""`frasier demo`: the main job on an example that comes with the program."""

from __future__ import annotations

from pathlib import Path

import typer

from frasier.interfaces.cli.run import BudgetOption, JsonOption, OutOption, carry_out

_EXAMPLE = Path(__file__).parent / "demo_mission"


def demo(
    context: typer.Context,
    out: OutOption = Path("deliverables"),
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run an example. Six documents about embedded databases, a directive, and the deliverable in a folder."""
    text = (_EXAMPLE / "directive.txt").read_text("utf-8").strip()
    if not as_json:
        typer.echo(f'frasier run "{text}" --sources {_EXAMPLE / "sources"}\n', err=True)
    arguments = {"directive": text, "out": str(out), "sources": [str(_EXAMPLE / "sources")], "budget": budget}
    carry_out(context, arguments, as_json=as_json)

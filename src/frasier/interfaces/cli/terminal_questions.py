"""Questions on the terminal, one at a time; a secret is typed without an echo."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from frasier.kernel.errors import InvalidInput


def require_terminal(command: str, *, hint: str) -> None:
    """Raise InvalidInput where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput(
            f"{command} asks questions, and this is not a terminal.",
            kept="Nothing was asked or written.",
            hint=hint,
        )


def ask(question: str, *, default: str = "") -> str:
    """Ask for a line of text; an empty one is the default."""
    shown = f" [{default}]" if default else ""
    return _read(f"{question}{shown}: ") or default


def ask_choice(question: str, options: Sequence[str], *, default: str) -> str:
    """Ask until the answer is one of the options, or a beginning of exactly one."""
    while True:
        answer = ask(f"{question} ({', '.join(options)})", default=default).lower()
        fitting = [option for option in options if option.startswith(answer)]
        if answer in options:
            return answer
        if len(fitting) == 1:
            return fitting[0]
        typer.echo(f"Choose one of: {', '.join(options)}.", err=True)


def ask_number(question: str, *, default: float) -> float:
    """Ask until the answer is a number, 0 or more."""
    while True:
        answer = ask(question, default=f"{default:g}")
        try:
            number = float(answer.replace("$", "").replace(",", ""))
        except ValueError:
            number = -1
        if 0 <= number < float("inf"):
            return number
        typer.echo("Type a number, 0 or more.", err=True)


def ask_secret(question: str, *, is_set: bool) -> str:
    """Ask for a secret without an echo; empty where the one that is set shall stay, or where none is needed."""
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    silent = [*before]
    silent[3] = before[3] & ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSAFLUSH, silent)
    try:
        return _read(f"{question}, not shown while you type{' [keep the present one]' if is_set else ''}: ")
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
        typer.echo(err=True)


def _read(prompt: str) -> str:
    typer.echo(prompt, nl=False, err=True)
    line = sys.stdin.readline()
    if not line:  # the end of the input: nobody answers any more
        raise typer.Abort
    return "".join(character for character in line.strip() if character.isprintable())

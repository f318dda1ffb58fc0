"""Output of commands: tables that fit the terminal, aligned plain text without a terminal, or JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from frasier.interfaces.cli.icons import MARKS
from frasier.kernel.errors import ConfigurationError
from frasier.kernel.text import strip_control, strip_deceiving

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType
    from rich.markdown import Markdown
    from rich.text import Text

T = TypeVar("T")

Cell: TypeAlias = str | tuple[str, str]
"""Text, or text and its style."""

Block: TypeAlias = "Sequence[Sequence[Cell]]"
"""Lines that stay together, as those of a card."""

Shelf: TypeAlias = "tuple[str, Sequence[Block]]"
"""Cards under one title."""

_NARROW = 60  # in a narrower terminal the rows of a table are shown as blocks
_WORD = 12  # also where a column would be narrower: words would be broken letter by letter
_SIDE_BY_SIDE = 100  # in a narrower terminal columns of cards are shown one below the other
PLAIN_WIDTH = 4_000
"""The width without a terminal: nothing is wrapped, so that lines can be searched and cut."""

_BROKEN_PIPE = 141  # the exit code that a shell reports for a program that SIGPIPE ended


@dataclass(frozen=True, slots=True)
class Column:
    """A column; a `fixed` one is never wrapped, and one that `joins` is merged into the previous column if both do
    not fit side by side.
    """

    title: str
    fixed: bool = False
    right: bool = False
    joins: bool = False


def fixed(title: str) -> Column:
    """Return a column that is never wrapped."""
    return Column(title, fixed=True)


def numbers(title: str) -> Column:
    """Return a column of numbers."""
    return Column(title, right=True)


class Page:
    """The output of a command, collected piece by piece and then shown at once."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, Any]] = []

    def line(self, *cells: Cell) -> None:
        """Add one line of text; the terminal wraps it."""
        self._parts.append(("line", cells))

    def heading(self, text: str) -> None:
        """Begin a section."""
        if self._parts:
            self._parts.append(("line", ()))
        self._parts.append(("line", ((text, "bold"),)))

    def table(
        self, columns: Sequence[Column | str], rows: Sequence[Sequence[Cell]], *, wide: bool = False
    ) -> None:
        """Add a table without rules, or nothing if there are no rows. A `wide` one needs more room."""
        if rows:
            named = [column if isinstance(column, Column) else Column(column) for column in columns]
            self._parts.append(("table", (named, rows, _SIDE_BY_SIDE if wide else _NARROW)))

    def facts(self, *facts: tuple[str, Cell]) -> None:
        """Add named facts, a row each; those that are empty are left out."""
        self.table(["", ""], [((name, "dim"), fact) for name, fact in facts if fact])

    def more(self, rows: int, *, more: bool) -> None:
        """Add that a list of so many `rows`, newest first, goes on, if there are `more`."""
        if more:
            self.line((f"The newest {rows:,}; a larger --limit shows more.", "dim"))

    def prose(self, text: str) -> None:
        """Add a longer text with its own line breaks, indented."""
        self._parts.append(("prose", text))

    def markdown(self, text: str) -> None:
        """Add a Markdown document: formatted on a terminal, unchanged elsewhere."""
        self._parts.append(("markdown", text))

    def cards(self, columns: Sequence[Shelf], *, stacked: bool = False) -> None:
        """Add cards under their titles: side by side if they fit and are not `stacked`, else one below the other."""
        if columns and self._parts:
            self._parts.append(("line", ()))
        self._parts.append(("cards", (columns, stacked)))

    def drawn(self, console: Console) -> Group:
        """Return everything as a Rich renderable, for a display that is refreshed."""
        from rich.console import Group

        return Group(*(_DRAW[kind](console, part) for kind, part in self._parts))

    def show(self) -> None:
        """Write everything to standard output."""
        from rich.console import Console

        tty = sys.stdout.isatty()
        console = Console(width=None if tty else PLAIN_WIDTH, highlight=False, markup=False, emoji=False)
        with console.capture() as capture:
            for kind, part in self._parts:
                console.print(_DRAW[kind](console, part), soft_wrap=not tty and kind != "table")
        lines = capture.get().splitlines()
        write_out("\n".join(lines if tty else [line.rstrip() for line in lines]) + "\n")


def _text(cell: Cell) -> Text:
    from rich.text import Text

    # The text may come from a web page or a model: a control character in it must not reach the terminal.
    text, style = cell if isinstance(cell, tuple) else (cell, "")
    return Text(strip_deceiving(strip_control(text)), style=style)


def terminal_markdown(text: str) -> Markdown:
    """Format Markdown for a terminal: nothing in it is active, and each link shows its address."""
    from rich.markdown import Markdown

    from frasier.interfaces.deliverable_rendering import inert

    return Markdown(inert(strip_control(text)), hyperlinks=False)


def _draw_line(_console: Console, cells: Sequence[Cell]) -> Text:
    from rich.text import Text

    return Text.assemble(*map(_text, cells))


def _draw_prose(_console: Console, text: str) -> RenderableType:
    from rich.padding import Padding

    return Padding(_text(text.strip("\n")), (0, 0, 0, 2), expand=False)


def _draw_markdown(console: Console, text: str) -> RenderableType:
    return terminal_markdown(text) if console.is_terminal else _text(text.strip("\n"))


def _draw_table(console: Console, part: tuple[list[Column], Sequence[Sequence[Cell]], int]) -> RenderableType:
    from rich.table import Table

    columns, rows, narrow = part
    if console.width < _SIDE_BY_SIDE:
        columns, rows = _joined(columns, rows)
    if console.width < max(narrow, _least_width(columns, rows)):
        return _draw_blocks(columns, rows)
    titled = any(column.title for column in columns)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_header=titled)
    for column in columns:
        table.add_column(
            column.title, justify="right" if column.right else "left", no_wrap=column.fixed, overflow="fold"
        )
    for row in rows:
        table.add_row(*map(_text, row))
    return table


def _joined(
    columns: list[Column], rows: Sequence[Sequence[Cell]]
) -> tuple[list[Column], Sequence[Sequence[Cell]]]:
    """Return the table with every column that `joins` merged into the previous one."""
    at = [number for number, column in enumerate(columns) if not column.joins]
    if len(at) == len(columns):
        return columns, rows
    groups = [slice(begin, end) for begin, end in zip(at, [*at[1:], len(columns)], strict=True)]
    return [columns[number] for number in at], [[_one_cell(row[group]) for group in groups] for row in rows]


def _one_cell(cells: Sequence[Cell]) -> Cell:
    if len(cells) == 1:
        return cells[0]
    return "  ".join(text for cell in cells if (text := cell if isinstance(cell, str) else cell[0]))


def _least_width(columns: list[Column], rows: Sequence[Sequence[Cell]]) -> int:
    """Return the width at which no column of the table breaks words."""
    width = 0
    for number, column in enumerate(columns):
        cells = [cell if isinstance(cell, str) else cell[0] for cell in (row[number] for row in rows)]
        longest = max(len(line) for text in (column.title, *cells) for line in text.split("\n"))
        width += longest if column.fixed else min(longest, _WORD)
    return width + 2 * (len(columns) - 1)


def _draw_blocks(columns: list[Column], rows: Sequence[Sequence[Cell]]) -> RenderableType:
    """Draw each row as a block of lines; the cell of an untitled column begins the line of the next one."""
    from rich.text import Text

    blocks = []
    for row in rows:
        lines, line = [], Text()
        for column, cell in zip(columns, map(_text, row), strict=True):
            if not cell.plain:
                continue
            title = Text(f"{column.title} " if column.title else "", style="dim")
            line.append_text(title).append_text(cell)
            if column.title:
                lines.append(line)
                line = Text()
            else:
                line.append(" ")
        if line.plain:
            lines.append(line)
        blocks.append(Text("\n").join(lines))
    # Rows without titles are lists of facts: no blank lines between them.
    between = "\n\n" if any(column.title for column in columns) else "\n"
    return Text(between).join(blocks)


def _draw_cards(console: Console, part: tuple[Sequence[Shelf], bool]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    columns, stacked = part
    if stacked or console.width < _SIDE_BY_SIDE:
        return _draw_stacked(columns)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    for title, _ in columns:
        table.add_column(Text(title, style="bold"), ratio=1, overflow="fold")
    below = [
        Text("\n\n").join(Text("\n").join(_draw_line(console, line) for line in block) for block in blocks)
        for _, blocks in columns
    ]
    table.add_row(*below)
    return table


def _draw_stacked(columns: Sequence[Shelf]) -> RenderableType:
    """Draw each card below the previous one, its lines indented below its first one."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    parts: list[RenderableType] = []
    for title, blocks in columns:
        parts += [*([Text()] if parts else []), Text(title, style="bold")]
        for block in blocks:
            for number, line in enumerate(block):
                text = Text.assemble(*map(_text, line))
                parts.append(Padding(text, (0, 0, 0, 4 if number else 2), expand=False))
    return Group(*parts)


_DRAW: dict[str, Any] = {
    "cards": _draw_cards,
    "line": _draw_line,
    "table": _draw_table,
    "prose": _draw_prose,
    "markdown": _draw_markdown,
}


def show_view(
    view: T, draw: Callable[[Page, T], None], document: Callable[[T], Any] | None = None, *, as_json: bool
) -> None:
    """Print a view as JSON, or what `document` makes of it, or draw it for a person."""
    if as_json:
        from frasier.interfaces.cli.document import document_of

        print_json(document_of(document(view) if document else view))
        return
    page = Page()
    draw(page, view)
    page.show()


def show_done(message: str, document: Any, *, as_json: bool) -> None:
    """Print what was done: as a JSON document, or as a message for a person."""
    if as_json:
        print_json(document)
    else:
        write_out(strip_control(message) + "\n")


def print_json(document: Any) -> None:
    """Print the one JSON document of a command and nothing else; ids and times become text."""
    indent = 2 if sys.stdout.isatty() else None
    write_out(json.dumps(document, ensure_ascii=False, indent=indent, default=_as_json) + "\n")


def print_json_line(document: Any) -> None:
    """Print one of many JSON documents, a line each."""
    write_out(json.dumps(document, ensure_ascii=False, default=_as_json) + "\n")


def _as_json(value: object) -> object:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value)


def write_out(text: str) -> None:
    """Write to standard output; end the program silently if the reader has left.

    Raises ConfigurationError if it cannot be written to, as on a full disk.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Otherwise Python complains again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise SystemExit(_BROKEN_PIPE) from None
        raise ConfigurationError(
            f"Standard output cannot be written to: {(error.strerror or type(error).__name__).lower()}.",
            kept="What was asked for is done; only its answer is not shown.",
            hint="Make room where it goes, or send it elsewhere.",
        ) from error


def mark(state: str, text: str | None = None) -> tuple[str, str]:
    """Return the icon of a state, or `text` in its colour."""
    sign, style = MARKS.get(state, ("·", ""))
    return (sign if text is None else text), style


def short(identity: object) -> str:
    """Return the end of an id, which is enough to name it."""
    return str(identity)[-8:]


def usd(amount: float) -> str:
    """Format dollars for people: whole cents if that is exact enough, else four digits, or six of very few."""
    if amount == round(amount, 2):
        return f"${amount:,.2f}"
    return f"${amount:,.4f}" if amount >= 0.0001 else f"${amount:.6f}"


def ago(moment: datetime) -> str:
    """Format the time since a moment for people."""
    return f"{lasting((datetime.now(UTC) - moment).total_seconds())} ago"


def lasting(seconds: float) -> str:
    """Format a duration for people."""
    seconds = max(seconds, 0)
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def time_taken(seconds: float) -> str:
    """Format a duration with its two largest units."""
    whole = max(round(seconds), 0)
    for size, part, name, smaller in (
        (86_400, 3_600, "d", "h"),
        (3_600, 60, "h", "min"),
        (60, 1, "min", "s"),
    ):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {name}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"


def clock(moment: datetime) -> str:
    """Format a moment in the founder's time zone."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")

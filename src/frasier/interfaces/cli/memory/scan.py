"""`frasier memory scan` and `confirm`: Markdown files as memories, and how much they count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import Data, HomeScope, ask, show
from frasier.interfaces.cli.memory.parse_args import absolute
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from collections.abc import Iterable

    from frasier.interfaces.cli.output import Page

_AT_WORK = "Scanning"
_COUNTS = {
    "indexed": "new",
    "updated": "changed",
    "moved": "of these moved",
    "unchanged": "as before",
    "removed": "gone, their memories archived",
    "failed": "not readable",
}


def scan(
    context: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help="A memory folder or one in it; all if not said.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Read every file, also within a minute of the last scan.")
    ] = False,
    scope: HomeScope = None,
    as_json: JsonOption = False,
) -> None:
    """Scan memory folders. New and changed Markdown files become memories, those of files that are gone go.

    Memory folders are the ones in FRASIER_MEMORY__ROOTS.
    """
    from frasier.interfaces.cli.memory.spinner import shown_progress

    given = {"folder": absolute(folder), "force": force, "scope": scope}
    with shown_progress(_AT_WORK, shown=not as_json) as advance:

        async def tell(done: int, total: int) -> None:
            advance(_AT_WORK, done, total)

        envelope = ask(context, "memory_index_scan", given, scopes=[scope] if scope else None, progress=tell)
    show(envelope, _draw_scan, as_json=as_json)


def confirm_tier(
    context: typer.Context,
    file: Annotated[
        str | None, typer.Argument(metavar="ID", help="Which; without it, the files that ask for more.")
    ] = None,
    refuse: Annotated[
        bool, typer.Option("--refuse", help="It stays normal, and is not asked about again.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Confirm what a file asks for above normal. That holds until the text of the file changes."""
    if refuse and file is None:
        raise typer.BadParameter("say which file is refused", param_hint="--refuse")
    envelope = ask(context, "memory_confirm", {"id": file, "refuse": refuse})
    show(envelope, lambda page, data: _draw_confirmed(page, envelope["summary"], data), as_json=as_json)


def _draw_confirmed(page: Page, summary: str, data: Data) -> None:
    page.line(summary)
    draw_proposals(page, data.get("asking", ()), command="frasier memory confirm {id}")
    draw_unread_edits(page, data.get("unread", ()))


def draw_proposals(page: Page, proposals: Iterable[Data], *, command: str) -> None:
    """Each file with what it asks for, and the command that answers it."""
    from frasier.interfaces.cli.output import short

    for one in proposals:
        page.line(("■ ", "bold magenta"), (one["path"], "bold"), f"  asks to be {one['tier']}")
        if one.get("outdated"):
            page.line(("  Its memory was changed since the file was read:", "yellow"))
            page.line(("  frasier memory scan --force reads the file again", "dim"))
        else:
            page.line((f"  {command.format(id=short(one['id']))}", "dim"))
            page.line((f"  frasier memory show {short(one['memory'])} has its text", "dim"))


def draw_unread_edits(page: Page, edits: Iterable[Data]) -> None:
    """Each changed file whose memory binds everybody, why it was not read, and the command that reads it."""
    for one in edits:
        page.line(
            ("■ ", "bold magenta"),
            (one["path"], "bold"),
            "  was changed since you confirmed it, and not read",
        )
        page.prose(f"{one['reason']} Its {one['tier']} memory says what it said.")
        page.line(("  frasier memory scan --force reads it; it is normal until you confirm it again", "dim"))


def _draw_scan(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.output import Column
    from frasier.kernel.humanize import plural

    page.line(("Scanned ", "bold"), ", ".join(data.get("folders", ())))
    counts = [(f"{data[name]:,}", words) for name, words in _COUNTS.items() if data[name]]
    page.table([Column("", fixed=True, right=True), ""], counts)
    if not counts:
        page.line("No Markdown file is there.")
    if data["links_drawn"]:
        page.line(f"{plural(data['links_drawn'], 'link')} drawn.")
    if data.get("unresolved_links"):
        page.line((f"{plural(data['unresolved_links'], 'link')} to what is not there (yet).", "yellow"))
    for error in data.get("errors", ()):
        page.line(("✗ ", "red"), (error["path"], "bold"))
        page.prose(" ".join(filter(None, (error["message"], error.get("hint"), error.get("number")))))
    for warning in data.get("warnings", ()):
        page.line(("! ", "yellow"), (warning["path"], "bold"))
        page.prose(warning["message"])
    for left in data.get("left_out", ()):
        page.line((f"– {left['path']}: {left['reason']}", "dim"))

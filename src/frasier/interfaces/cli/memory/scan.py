"""`frasier memory scan`: Markdown files as memories."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.operation_command import scopes_in
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Column, Page
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.maintenance import INDEX_SCAN, ScanOutput
from frasier.kernel.humanize import plural

_AT_WORK = "Scanning"


@options_of(INDEX_SCAN.input)
def scan(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Scan memory folders. New and changed Markdown files become memories, those of files that are gone go.

    Memory folders are the ones in FRASIER_MEMORY__ROOTS.
    """
    from frasier.interfaces.cli.memory.spinner import progress_bars

    with progress_bars(_AT_WORK, enabled=not as_json) as advance:

        async def report(finished: int, total: int) -> None:
            advance(_AT_WORK, finished, total)

        answer = ask(context, INDEX_SCAN, arguments, scopes=scopes_in(arguments), progress=report)
    show(answer, _draw_scan, as_json=as_json)


def _draw_scan(page: Page, data: ScanOutput) -> None:
    page.line(("Scanned ", "bold"), ", ".join(data.folders))
    counts = (
        (data.indexed, "new"),
        (data.updated, "changed"),
        (data.moved, "of these moved"),
        (data.unchanged, "as before"),
        (data.removed, "gone, their memories archived"),
        (data.failed, "not readable"),
    )
    rows = [(f"{count:,}", words) for count, words in counts if count]
    page.table([Column("", fixed=True, right=True), ""], rows)
    if not rows:
        page.line("No Markdown file is there.")
    if data.links_drawn:
        page.line(f"{plural(data.links_drawn, 'link')} drawn.")
    if data.unresolved_links:
        page.line((f"{plural(data.unresolved_links, 'link')} to what is not there (yet).", "yellow"))
    for error in data.errors:
        page.line(("✗ ", "red"), (error.path, "bold"))
        page.prose(" ".join(filter(None, (error.message, error.hint, error.number))))
    for warning in data.warnings:
        page.line(("! ", "yellow"), (warning.path, "bold"))
        page.prose(warning.message)
    for skipped in data.left_out:
        page.line((f"– {skipped.path}: {skipped.reason}", "dim"))

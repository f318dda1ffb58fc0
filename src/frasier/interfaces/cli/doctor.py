"""`frasier doctor`: an end-to-end check, with a remedy for each fault."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.output import Page, mark, show_view
from frasier.interfaces.cli.with_services import JsonOption
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.interfaces.cli.doctor_check import Check


def doctor(context: typer.Context, as_json: JsonOption = False) -> None:
    """Check everything end to end. Machine, settings, database, audit log, models, search, waiting work.

    Asks each configured model one tiny question. Exits with 0 if nothing failed.
    """
    import asyncio

    from frasier.interfaces.cli.doctor_checks import examine

    checks = asyncio.run(examine(context.obj))
    failures = [check for check in checks if check.state == "fail"]
    show_view(checks, _draw, _document, as_json=as_json)
    if failures:
        raise typer.Exit(failures[0].code)


def _document(checks: list[Check]) -> dict[str, Any]:
    shown = [{name: value for name, value in asdict(check).items() if name != "code"} for check in checks]
    return {"healthy": all(check.state != "fail" for check in checks), "checks": shown}


def _draw(page: Page, checks: list[Check]) -> None:
    page.table(
        ["", "check", "found"],
        [(mark(check.state), mark(check.state, check.name), check.found) for check in checks],
    )
    hints: dict[str, list[str]] = {}
    for check in checks:
        if check.hint:
            hints.setdefault(check.hint, []).append(check.name)
    if hints:
        page.heading("What you can do")
        page.prose("\n".join(f"- {', '.join(names)}: {hint}" for hint, names in hints.items()))
    counts = {state: sum(check.state == state for check in checks) for state in ("fail", "warn")}
    page.line()
    if counts["fail"]:
        page.line((f"{plural(counts['fail'], 'check')} failed.", "bold red"))
    elif stopped := [check.name for check in checks if check.stops_work]:
        page.line((f"No check failed, but work has stopped: {', '.join(stopped)}.", "bold yellow"))
    else:
        page.line(
            (
                "Everything is in order"
                + (f", with {plural(counts['warn'], 'remark')}." if counts["warn"] else "."),
                "green",
            )
        )

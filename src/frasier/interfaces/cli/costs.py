"""`frasier costs`: what was spent, on what, and how full the caps are."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, in_transaction

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.llm import CapUse, CostLine
    from frasier.store import Tx

SinceOption = Annotated[
    datetime | None,
    typer.Option("--since", formats=["%Y-%m-%d"], help="Only what was spent from this day (UTC) on."),
]
MissionOption = Annotated[
    str | None, typer.Option("--mission", "-m", help="Only one mission: its id, a part of it, or `last`.")
]
_SPLITS = {"by_tier": "tier", "by_model": "model", "by_mission": "mission", "by_day": "day"}
# Columns that are shown where there is anything in them.
_TROUBLE = {
    "failed": "failed_calls",
    "unknown": "unknown_calls",
    "degraded": "degraded_calls",
    "in flight": "reserved_usd",
}


def costs(
    context: typer.Context,
    since: SinceOption = None,
    mission: MissionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was spent. By tier, model, mission and day; and how full the caps are."""
    from frasier.interfaces.cli.present import print_json

    async def read(services: Services, tx: Tx) -> dict[str, Any]:
        return await _read_costs(services, tx, since, mission)

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_costs(document).show()


async def _read_costs(
    services: Services, tx: Tx, since: datetime | None, mission: str | None
) -> dict[str, Any]:
    from frasier.kernel.ids import parse_id
    from frasier.llm import caps_now
    from frasier.llm import costs as read_costs
    from frasier.org.planning import find_mission, titles_of

    found = await find_mission(tx, mission) if mission else None
    first_day = since.date() if since else None
    bill = await read_costs(tx, since=first_day, mission_id=found.id if found else None)
    ids = [identity for line in bill.by_mission if (identity := parse_id(line.key))]
    titles = {str(identity): title for identity, title in (await titles_of(tx, ids)).items()}
    return {
        "since": first_day,
        "mission": found.id if found else None,
        "total": _line(bill.total),
        "by_tier": [_line(line) for line in bill.by_tier],
        "by_model": [_line(line) for line in bill.by_model],
        "by_mission": [
            _line(line) | {"title": titles.get(line.key, "talk" if line.key else "outside missions")}
            for line in sorted(bill.by_mission, key=lambda line: (-line.usd_micros, line.key))
        ],
        "by_day": [_line(line) for line in bill.by_day],
        "caps": {use.scope: _cap(use) for use in await caps_now(tx, services.caps)},
    }


def _line(line: CostLine) -> dict[str, Any]:
    return {
        "key": line.key,
        "calls": line.calls,
        "cost_usd": line.usd_micros / 1_000_000,
        "reserved_usd": line.reserved_usd_micros / 1_000_000,
        "tokens_in": line.tokens_in,
        "tokens_out": line.tokens_out,
        "failed_calls": line.failed_calls,
        "unknown_calls": line.unknown_calls,
        "degraded_calls": line.degraded_calls,
        "rehearsal_calls": line.rehearsal_calls,
    }


def _cap(use: CapUse) -> dict[str, Any]:
    return {
        "key": use.key,
        "spent_usd": use.spent_usd_micros / 1_000_000,
        "reserved_usd": use.reserved_usd_micros / 1_000_000,
        "cap_usd": use.cap_usd_micros / 1_000_000,
        "calls": use.calls,
    }


def _draw_costs(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.present import Page, usd
    from frasier.kernel.wording import plural

    page = Page()
    total = document["total"]
    page.line(
        (usd(total["cost_usd"]), "bold"),
        f" for {plural(total['calls'], 'call')}, {total['tokens_in']:,} tokens read, {total['tokens_out']:,} written",
    )
    if total["rehearsal_calls"]:
        page.line((f"Rehearsed, without asking a model: {plural(total['rehearsal_calls'], 'call')}.", "dim"))
    if total["unknown_calls"]:
        unknown = plural(total["unknown_calls"], "call")
        page.line((f"Charged as reserved, because the outcome is unknown: {unknown}.", "yellow"))
    trouble = [title for title, key in _TROUBLE.items() if total[key]]
    for split, name in _SPLITS.items():
        _add_split(page, name, document[split], trouble)
    page.heading("Caps")
    for scope, name in (("day", "today"), ("month", "this month")):
        cap = document["caps"][scope]
        flight = f" (+ {usd(cap['reserved_usd'])} in flight)" if cap["reserved_usd"] else ""
        page.line(
            f"{usd(cap['spent_usd'])} of {usd(cap['cap_usd'])} {name}{flight}", (f"  {cap['key']} UTC", "dim")
        )
    return page


def _add_split(page: Page, name: str, lines: list[dict[str, Any]], trouble: list[str]) -> None:
    from frasier.interfaces.cli.present import Column, short, usd

    if not lines:
        return
    page.heading(f"By {name}")
    counts = ("calls", "tokens in", "tokens out", *trouble, "cost")
    page.table(
        [name, *(Column(count, fixed=True, right=True) for count in counts)],
        [
            (
                f"{short(line['key'])} {line['title']}" if name == "mission" and line["key"] else _key(line),
                f"{line['calls']:,}",
                f"{line['tokens_in']:,}",
                f"{line['tokens_out']:,}",
                *(_trouble(line[_TROUBLE[title]]) for title in trouble),
                usd(line["cost_usd"]),
            )
            for line in lines
        ],
    )


def _key(line: dict[str, Any]) -> str:
    return str(line["key"] or line.get("title", ""))


def _trouble(number: float) -> tuple[str, str]:
    """A count, or dollars."""
    from frasier.interfaces.cli.present import usd

    if not number:
        return ("0", "dim")
    return (f"{number:,}" if isinstance(number, int) else usd(number), "yellow")

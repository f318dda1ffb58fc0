"""`frasier status`: how everything stands, on one screen."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, in_transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.store import Tx

_LATEST = 5


def status(context: typer.Context, as_json: JsonOption = False) -> None:
    """Show how everything stands. Missions, tasks, what waits for you, what is spent, who works."""
    from frasier.interfaces.cli.present import print_json

    document = in_transaction(context, read_status)
    if as_json:
        print_json(document)
    else:
        draw_status(document).show()


async def read_status(services: Services, tx: Tx) -> dict[str, Any]:
    """The document of `frasier status --json`; costs are US dollars."""
    from frasier.board import blocked_tasks, busy_workers, count_open_tasks, open_outages
    from frasier.interfaces.cli.directives import count_directives
    from frasier.interfaces.cli.waiting import (
        blocked_as_dict,
        decisions_as_dicts,
        effect_as_dict,
        files_as_dicts,
        interrupted_as_dicts,
        is_the_founders,
        question_as_dict,
    )
    from frasier.llm import caps_now
    from frasier.org.governance import open_questions
    from frasier.org.planning import count_missions
    from frasier.store import lease_holders, open_effects

    day, month = await caps_now(tx, services.caps)
    questions = await open_questions(tx)
    asked_about = {question.task_id for question in questions}
    blocked = [blocked_as_dict(one) for one in await blocked_tasks(tx) if one.id not in asked_about]
    effects = [effect_as_dict(one) for one in await open_effects(tx)]
    return {
        "rehearsal": services.means.rehearsal,
        "models": dict(services.models),
        "web_search": services.means.web_search,
        "database": "embedded" if services.embedded else "external",
        "missions": await count_missions(tx),
        "tasks": asdict(await count_open_tasks(tx, on_boards=False)),
        "board_tasks": asdict(await count_open_tasks(tx, on_boards=True)),
        "waiting_for_founder": [question_as_dict(question) for question in questions],
        "decisions": await decisions_as_dicts(tx),
        **await files_as_dicts(tx),
        "blocked_for_founder": [one for one in blocked if is_the_founders(one)],
        "interrupted": await interrupted_as_dicts(tx),
        "effects_in_trouble": len(effects),
        "effects": effects[:_LATEST],
        "standing_rules": await count_directives(tx),
        "outages": [asdict(outage) for outage in await open_outages(tx)],
        "spend": {
            use.scope: {
                "spent_usd": use.spent_usd_micros / 1_000_000,
                "reserved_usd": use.reserved_usd_micros / 1_000_000,
                "cap_usd": use.cap_usd_micros / 1_000_000,
                "calls": use.calls,
            }
            for use in (day, month)
        },
        "workers": [asdict(worker) for worker in await busy_workers(tx)],
        "heartbeat": "heartbeat" in await lease_holders(tx),
        "latest": await _latest_missions(tx),
    }


async def _latest_missions(tx: Tx) -> list[dict[str, Any]]:
    from frasier.org.planning import list_missions

    return [
        {
            "mission": mission.id,
            "title": mission.title,
            "status": mission.status,
            "created_at": mission.created_at,
            "folder": mission.delivered_path,
        }
        for mission in await list_missions(tx, limit=_LATEST)
    ]


def draw_status(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.present import Column, Page, ago, mark, short

    page = Page()
    means = means_line(
        rehearsal=document["rehearsal"], models=document["models"], web_search=document["web_search"]
    )
    page.line(f"{means}; {document['database']} database")
    _add_troubles(page, document)
    counted = (*document["tasks"].values(), *document["board_tasks"].values())
    if not (document["latest"] or document["decisions"] or any(counted)):
        _add_waiting(page, document)
        _welcome(page, rehearsal=document["rehearsal"])
        return page
    page.heading("Now")
    page.table(
        ["", ""],
        [
            (("missions", "dim"), _counts(document["missions"]) or "none"),
            (("open steps", "dim"), _counts(document["tasks"]) or "none"),
            (("tasks on boards", "dim"), _counts(document["board_tasks"]) or "none"),
            (("spent", "dim"), _spent(document["spend"])),
            (("at work", "dim"), _at_work(document)),
        ],
    )
    _add_waiting(page, document)
    if document["latest"]:
        page.heading("Latest missions")
    page.table(
        [
            "",
            Column("mission", fixed=True),
            Column("status", fixed=True),
            "title",
            Column("begun", fixed=True),
        ],
        [
            (
                mark(mission["status"]),
                short(mission["mission"]),
                mark(mission["status"], mission["status"]),
                mission["title"],
                (ago(mission["created_at"]), "dim"),
            )
            for mission in document["latest"]
        ],
    )
    return page


def _add_waiting(page: Page, document: dict[str, Any]) -> None:
    from frasier.interfaces.cli.waiting import (
        add_blocks,
        add_decisions,
        add_files,
        add_interrupted,
        add_questions,
        add_troubles,
    )

    waiting = (
        "waiting_for_founder",
        "decisions",
        "files",
        "unread_files",
        "blocked_for_founder",
        "interrupted",
    )
    if any(document[what] for what in waiting):
        page.heading("Waiting for you")
        add_questions(page, document["waiting_for_founder"])
        add_decisions(page, document["decisions"])
        add_files(page, document)
        add_blocks(page, document["blocked_for_founder"])
        add_interrupted(page, document["interrupted"])
    add_troubles(page, document["effects"], of=document["effects_in_trouble"])


def _add_troubles(page: Page, document: dict[str, Any]) -> None:
    from frasier.interfaces.cli.directives import left_out_line
    from frasier.interfaces.cli.present import ago

    for outage in document["outages"]:
        began = ago(outage["began_at"])
        page.line((f"Out of order: {outage['what']}, which began {began}: {outage['why']}", "yellow"))
    for rule in document["standing_rules"]["left_out"]:
        page.line((left_out_line(rule), "yellow"))


def means_line(*, rehearsal: bool, models: Mapping[Any, str], web_search: bool) -> str:
    """What the organisation works with, in one line."""
    named = ", ".join(f"{tier} {name}" for tier, name in models.items())
    model = "rehearsal (no model is configured)" if rehearsal else named
    return f"{model}; {'web search' if web_search else 'no web search'}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number)


def _spent(spend: dict[str, Any]) -> str:
    from frasier.interfaces.cli.present import usd

    parts = []
    for scope, name in (("day", "today"), ("month", "this month")):
        use = spend[scope]
        flight = f" (+ {usd(use['reserved_usd'])} in flight)" if use["reserved_usd"] else ""
        parts.append(f"{usd(use['spent_usd'])} of {usd(use['cap_usd'])} {name}{flight}")
    return ", ".join(parts)


def _at_work(document: dict[str, Any]) -> str:
    from frasier.kernel.wording import person, plural

    parts = [
        f"{person(worker['name'])} ({plural(worker['tasks'], 'task')})" for worker in document["workers"]
    ]
    if document["heartbeat"]:
        parts.append("heartbeat")
    return ", ".join(parts) or "nobody: `frasier up` starts a worker"


def _welcome(page: Page, *, rehearsal: bool) -> None:
    page.heading("Nothing has been asked of the organisation yet")
    page.line("Give it a directive and something to work from:")
    page.prose('frasier run "Compare the offers in these documents and recommend one" --sources DIR')
    page.line("`frasier agents list` shows who works here, `frasier doctor` whether everything is in order.")
    if rehearsal:
        page.line(
            "No model is configured, so a deterministic stand-in rehearses the work; set OPENROUTER_API_KEY, or "
            "FRASIER_LLM__BASE_URL for a model of your own, to have it done."
        )

"""`frasier missions`: what was asked, how far it is, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.opening import (
    JsonOption,
    LimitOption,
    MissionArgument,
    command_group,
    in_transaction,
)

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Cell, Page
    from frasier.interfaces.services import Services
    from frasier.store import Tx

missions = command_group("Missions: what was asked, how far it is, what came of it.")


@missions.command("list")
def list_(context: typer.Context, limit: LimitOption = 20, as_json: JsonOption = False) -> None:
    """List the newest missions."""
    from frasier.interfaces.cli.present import print_json

    async def read(_services: Services, tx: Tx) -> dict[str, Any]:
        return await _read_missions(tx, limit)

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_missions(document).show()


@missions.command()
def show(context: typer.Context, mission: MissionArgument = "last", as_json: JsonOption = False) -> None:
    """Show a mission. Its graph of steps, reviews, plan, spend, and where its folder is."""
    from frasier.interfaces.cli.present import print_json

    async def read(_services: Services, tx: Tx) -> dict[str, Any]:
        return await _read_mission(tx, mission)

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_mission(document).show()


async def _read_missions(tx: Tx, limit: int) -> dict[str, Any]:
    from frasier.llm import spend_of_mission
    from frasier.org.planning import list_missions

    rows = []
    for mission in await list_missions(tx, limit=limit):
        spend = await spend_of_mission(tx, mission.id)
        rows.append(
            {
                "mission": mission.id,
                "title": mission.title,
                "status": mission.status,
                "rehearsal": mission.rehearsal,
                "cost_usd": spend.spent_usd_micros / 1_000_000,
                "calls": spend.calls,
                "created_at": mission.created_at,
                "delivered_at": mission.delivered_at,
                "folder": mission.delivered_path,
                "failure": mission.failure,
            }
        )
    return {"missions": rows}


def _draw_missions(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.present import Column, Page, ago, mark, short, usd

    page = Page()
    if not document["missions"]:
        page.line('No mission yet. `frasier run "…" --sources DIR` starts one.')
    page.table(
        [
            "",
            Column("mission", fixed=True),
            Column("status", fixed=True),
            "title",
            Column("cost", right=True, fixed=True),
            Column("begun", fixed=True),
        ],
        [
            (
                mark(row["status"]),
                short(row["mission"]),
                mark(row["status"], row["status"]),
                row["title"],
                "rehearsal" if row["rehearsal"] else usd(row["cost_usd"]),
                (ago(row["created_at"]), "dim"),
            )
            for row in document["missions"]
        ],
    )
    return page


async def _read_mission(tx: Tx, text: str) -> dict[str, Any]:
    """What `frasier run --json` prints, and what else is known of the mission."""
    from frasier.board import blocked_tasks
    from frasier.interfaces.cli.outcome import as_dict
    from frasier.interfaces.cli.snapshot import read_snapshot
    from frasier.interfaces.cli.waiting import blocked_as_dict, effect_as_dict, question_as_dict
    from frasier.llm import spend_of_mission
    from frasier.org.governance import open_questions
    from frasier.org.planning import find_mission, plans_of
    from frasier.store import effects_of
    from frasier.work import rules_left_out, sources_of
    from frasier.workflow import tasks_of

    mission = await find_mission(tx, text)
    snapshot = await read_snapshot(tx, mission.id)
    spend = await spend_of_mission(tx, mission.id)
    document = as_dict(snapshot)
    for row, step in zip(document["steps"], snapshot.steps, strict=True):
        row["level"], row["phase"] = step.level, step.phase
        row["needs"].sort(key=[step.key for step in snapshot.steps].index)
    return document | {
        "directive": mission.directive,
        "destination": mission.destination,
        "web_search": mission.web_search,
        "created_at": mission.created_at,
        "completed_at": mission.completed_at,
        "delivered_at": mission.delivered_at,
        "budget_usd": snapshot.budget_usd,
        "reserved_usd": spend.reserved_usd_micros / 1_000_000,
        "tokens": spend.tokens,
        "sources": [
            {"number": source.number, "kind": source.kind, "title": source.title, "uri": source.uri}
            for source in await sources_of(tx, mission.id)
        ],
        "plans": [
            {name: plan[name] for name in ("version", "accepted", "issues", "created_at")}
            for plan in await plans_of(tx, mission.id)
        ],
        "questions": [question_as_dict(q) for q in await open_questions(tx) if q.mission_id == mission.id],
        "blocked": [blocked_as_dict(blocked) for blocked in await blocked_tasks(tx, mission.id)],
        "effects": [effect_as_dict(effect) for effect in await effects_of(tx, mission.id)],
        "rules_left_out": await rules_left_out(tx, await tasks_of(tx, mission.id)),
    }


def _draw_mission(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.directives import add_left_out_rules
    from frasier.interfaces.cli.present import Page, clock, mark, short
    from frasier.interfaces.cli.waiting import add_questions
    from frasier.kernel.wording import plural

    page = Page()
    status = document["status"]
    page.line((document["title"], "bold"), "  ", mark(status, f"{mark(status)[0]} {status}"))
    facts = [
        f"mission {short(document['mission'])}",
        f"begun {clock(document['created_at'])}",
        _duration(document),
    ]
    page.line(("  ·  ".join([*facts, _spend(document), plural(document["calls"], "call")]), "dim"))
    if document["rehearsal"]:
        page.line(("rehearsal: no model was asked", "yellow"))
    page.heading("Directive")
    page.prose(document["directive"])
    _add_plans(page, document["plans"])
    page.heading("Steps")
    _add_steps(page, document["steps"])
    add_left_out_rules(page, document["rules_left_out"])
    if document["questions"]:
        page.heading("Waiting for you")
        add_questions(page, document["questions"])
    if document["failure"]:
        page.heading("Failure")
        page.prose(document["failure"])
    page.heading("Result")
    page.line(*_result(document))
    page.line((f"`frasier steps show {short(document['mission'])}/KEY` shows one step.", "dim"))
    return page


def _duration(document: dict[str, Any]) -> str:
    minutes, seconds = divmod(int(document["duration_s"]), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{document['duration_s']:.0f} s"


def _spend(document: dict[str, Any]) -> str:
    from frasier.interfaces.cli.present import usd

    of_budget = f" of {usd(document['budget_usd'])}" if document["budget_usd"] is not None else ""
    flight = f" (+ {usd(document['reserved_usd'])} in flight)" if document["reserved_usd"] else ""
    return usd(document["cost_usd"]) + of_budget + flight


def _add_plans(page: Page, plans: list[dict[str, Any]]) -> None:
    refused = [plan for plan in plans if not plan["accepted"]]
    if not refused:
        return
    page.heading("Plan")
    for plan in refused:
        page.line(("✗", "red"), f" version {plan['version']} was refused: {' '.join(plan['issues'])}")
    if len(refused) < len(plans):
        page.line(("✓", "green"), f" version {plans[-1]['version']} was accepted")


def _add_steps(page: Page, steps: list[dict[str, Any]]) -> None:
    from frasier.interfaces.cli.present import Column, mark

    rows: list[tuple[Cell, ...]] = []
    for step in steps:
        branch = "  " * (step["level"] - 1) + "└ " if step["level"] else ""
        state = step["phase"] or step["status"].replace("_", " ")
        rows.append(
            (
                mark(step["status"]),
                step["key"],
                f"{branch}{step['title']}" + (" (degraded)" if step["degraded"] else ""),
                (step["agent"], "cyan"),
                mark(step["status"], state),
                f"v{step['version']}" if step["version"] else "",
                ", ".join(_review(review) for review in step["reviews"]),
                (", ".join(step["needs"]), "dim"),
            )
        )
    columns: list[Column | str] = ["", Column("key", fixed=True), "step", Column("by", fixed=True), "state"]
    page.table([*columns, Column("", fixed=True), "reviews", "needs"], rows)


def _review(review: dict[str, Any]) -> str:
    from frasier.interfaces.cli.present import mark

    by = "policy" if review["kind"] == "policy" else f"{review['kind']} by {review['by']}"
    score = f" {review['overall']:.1f}" if review["overall"] is not None else ""
    return f"{mark(review['verdict'])[0]} {by}{score}"


def _result(document: dict[str, Any]) -> tuple[Cell, ...]:
    from frasier.interfaces.cli.present import short

    if document["deliverable"]:
        return (("✓ ", "green"), document["deliverable"])
    if document["status"] == "completed" and document["failure"]:
        again = f"frasier resume {short(document['mission'])}"
        return (("approved and stored, but not written: ", "yellow"), f"`{again}` writes the folder at once")
    if document["status"] == "completed":
        return ("approved and stored; its folder is being written to ", document["destination"])
    if document["status"] in {"failed", "cancelled"}:
        return (("none; every version of every step is kept", "dim"),)
    return (("none yet; it will be put into ", "dim"), document["destination"])

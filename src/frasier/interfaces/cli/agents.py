"""`frasier agents`: who works here, how they are, and what they have learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.memory import Memory
    from frasier.org.people import Agent
    from frasier.org.skills import Skill
    from frasier.store import Tx

agents = command_group("Agents: who works here.")

AgentArgument = Annotated[
    str, typer.Argument(help="An agent's name or key, or an unambiguous beginning of it.")
]
_SKILLS_LISTED = 3
_MEMORIES_SHOWN = 8
_WORK_CHARS = 160


@agents.command("list")
def list_(
    context: typer.Context,
    everyone: Annotated[bool, typer.Option("--all", help="Also those who are dormant or retired.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the agents, team by team."""
    from frasier.interfaces.cli.present import print_json

    async def read(_services: Services, tx: Tx) -> dict[str, Any]:
        return await _read_agents(tx, everyone=everyone)

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_agents(document).show()


@agents.command()
def show(context: typer.Context, name: AgentArgument, as_json: JsonOption = False) -> None:
    """Show an agent. Persona, skills, recent work and lessons."""
    from frasier.interfaces.cli.present import print_json

    async def read(_services: Services, tx: Tx) -> tuple[dict[str, Any], str]:
        return await _read_agent(tx, name)

    document, bars = in_transaction(context, read)
    if as_json:
        print_json(document)
    else:
        _draw_agent(document, bars).show()


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "agent": agent.id,
        "key": agent.key,
        "name": agent.name,
        "role": agent.role,
        "title": agent.title,
        "team": agent.team,
        "kind": agent.kind,
        "status": agent.status,
    }


def _skill(skill: Skill) -> dict[str, Any]:
    return {"skill": skill.name, "level": skill.level, "uses": skill.uses, "last_used": skill.last_used}


async def _read_agents(tx: Tx, *, everyone: bool) -> dict[str, Any]:
    from frasier.board import open_tasks_by_assignee
    from frasier.org.people import roster
    from frasier.org.skills import skills_of

    load = await open_tasks_by_assignee(tx)
    return {
        "agents": [
            _agent(agent)
            | {
                "open_tasks": load.get(agent.id, 0),
                "skills": [_skill(skill) for skill in await skills_of(tx, agent.id)],
            }
            for agent in await roster(tx, active_only=not everyone)
        ]
    }


def _draw_agents(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.present import Column, Page

    page = Page()
    page.table(
        [
            Column("name", fixed=True),
            "title",
            Column("role", fixed=True),
            "team",
            Column("open", fixed=True, right=True),
            "best skills",
        ],
        [
            (
                (row["name"], "cyan" if row["status"] == "active" else "dim"),
                row["title"] + ("" if row["status"] == "active" else f" ({row['status']})"),
                row["role"],
                row["team"] or "",
                str(row["open_tasks"]) if row["open_tasks"] else "",
                ", ".join(
                    f"{s['skill'].replace('_', ' ')} {s['level']}" for s in row["skills"][:_SKILLS_LISTED]
                ),
            )
            for row in document["agents"]
        ],
        wide=True,
    )
    return page


async def _read_agent(tx: Tx, name: str) -> tuple[dict[str, Any], str]:
    from frasier.memory import MemoryKind, recent_of_agent
    from frasier.org.people import find_agent, persona_of
    from frasier.org.skills import render_skills, skills_of

    agent = await find_agent(tx, name)
    persona = await persona_of(tx, agent.id)
    skills = await skills_of(tx, agent.id)
    document = _agent(agent) | {
        "since": agent.created_at,
        "persona": {
            "version": agent.persona_version,
            "identity": persona.identity,
            "soul": persona.soul,
            "method": persona.method,
            "standards": persona.standards,
        },
        "skills": [_skill(skill) for skill in skills],
        "recent_work": _memories(await recent_of_agent(tx, agent.id, {MemoryKind.TASK}, _MEMORIES_SHOWN)),
        "lessons": _memories(await recent_of_agent(tx, agent.id, {MemoryKind.LESSON}, _MEMORIES_SHOWN)),
    }
    return document, render_skills(skills)


def _memories(memories: list[Memory]) -> list[dict[str, Any]]:
    return [
        {"memory": memory.id, "title": memory.title, "text": memory.content, "at": memory.last_seen_at}
        for memory in memories
    ]


def _draw_agent(document: dict[str, Any], bars: str) -> Page:
    from frasier.interfaces.cli.present import Page, ago
    from frasier.kernel.text import shorten

    page = Page()
    page.line((document["name"], "bold"), f", {document['title']}")
    facts = [document["key"], document["role"], document["team"] or "above the teams", document["status"]]
    page.line(("  ·  ".join(facts), "dim"))
    persona = document["persona"]
    page.heading(f"Persona (version {persona['version']})")
    for part in ("identity", "soul", "method", "standards"):
        page.line((part, "dim"))
        page.prose(persona[part])
    page.heading("Skills")
    page.prose(bars or "none yet")
    page.heading("Recent work")
    for memory in document["recent_work"]:
        page.line(f"{memory['title']}  ", (ago(memory["at"]), "dim"))
        page.prose(shorten(" ".join(memory["text"].split()), _WORK_CHARS))
    if not document["recent_work"]:
        page.prose("none yet")
    page.heading("Lessons")
    for memory in document["lessons"]:
        page.line(memory["text"], (f"  {ago(memory['at'])}", "dim"))
    if not document["lessons"]:
        page.prose("none yet")
    return page

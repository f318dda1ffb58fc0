"""People: who works here, who was hired and why, what each does now, and what came of their work."""

from __future__ import annotations

from uuid import UUID

from frasier.interfaces.web import page_operations
from frasier.interfaces.web.operations import run, sentence
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.org.people import Role
from frasier.overview import (
    WorkNow,
    read_agent,
    read_agent_records,
    read_agents,
    read_hires,
    read_persona_difference,
    read_persona_history,
    read_trials,
    read_work_now,
)

_HIRES_SHOWN = 50
_VERSIONS_COMPARED = 5
_TRIALS_SHOWN = 5


async def _read_roster(request: PageRequest) -> PageContent:
    everyone = request.query.get("everyone") == "1"
    services = request.services
    agents = await services.in_transaction(read_agents, active_only=not everyone)
    values = {
        "agents": agents,
        "records": await services.in_transaction(read_agent_records),
        "work": _by_agent(await services.in_transaction(read_work_now)),
    }
    hires = await services.in_transaction(read_hires, limit=_HIRES_SHOWN)
    return PageContent(
        title="People",
        fragments=(
            Fragment(id="people-roster", template="people/roster.html", values=values),
            Fragment(id="people-hires", template="people/hires.html", values={"hires": hires}),
            Fragment(
                id="people-hire",
                template="people/hire_form.html",
                values={"roles": [role.value for role in Role], "sent": request.sent},
            ),
        ),
        values={"everyone": everyone},
    )


async def _read_agent(request: PageRequest) -> PageContent:
    services = request.services
    agent = await services.in_transaction(
        read_agent, request.params["key"], capabilities=services.capabilities
    )
    records = await services.in_transaction(read_agent_records)
    history = await services.in_transaction(read_persona_history, agent.key)
    values = {
        "agent": agent,
        "history": history,
        "trials": await services.in_transaction(read_trials, agent.key, limit=_TRIALS_SHOWN),
        "differences": [
            await services.in_transaction(
                read_persona_difference, agent.key, before=one.text.version - 1, after=one.text.version
            )
            for one in history.versions[:_VERSIONS_COMPARED]
            if one.text.version > 1
        ],
        "record": records[agent.agent],
        "work": _by_agent(await services.in_transaction(read_work_now)).get(agent.agent, []),
    }
    return PageContent(
        title=agent.name,
        fragments=(
            Fragment(id="person-now", template="people/now.html", values=values),
            Fragment(id="person-hire", template="people/hire.html", values=values),
            Fragment(id="person-reviewed", template="people/reviewed.html", values=values),
            Fragment(id="person-reviews-given", template="people/reviews_given.html", values=values),
            Fragment(id="person-trials", template="people/trials.html", values=values),
            Fragment(id="person-personas", template="people/personas.html", values=values),
        ),
        values=values,
    )


async def _hire(request: ActionRequest) -> ActionResult:
    """Hire a colleague, or return whoever has the trade already."""
    form = request.form
    arguments = {name: form.text(name) for name in ("title", "role", "reason")}
    return ActionResult(text=sentence(await run(request.services, page_operations.HIRE, arguments)))


def _by_agent(work: tuple[WorkNow, ...]) -> dict[UUID, list[WorkNow]]:
    grouped: dict[UUID, list[WorkNow]] = {}
    for one in work:
        grouped.setdefault(one.agent, []).append(one)
    return grouped


PAGES = (
    PageRoute(path="/people", section="People", template="people/page.html", read=_read_roster),
    PageRoute(path="/people/{key}", section="People", template="people/person.html", read=_read_agent),
)
ACTIONS = (FormAction(path="/people", act=_hire),)

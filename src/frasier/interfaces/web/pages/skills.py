"""A skill: the texts of its method in force, its versions, and who has it."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import read_skill, read_skill_history

_USES_SHOWN = 12


async def _read(request: PageRequest) -> PageContent:
    name = request.params["skill"]
    services = request.services
    page = await services.in_transaction(read_skill, name, version=None, uses=_USES_SHOWN)
    versions = await services.in_transaction(read_skill_history, name)
    return PageContent(
        title=name.replace("_", " "),
        fragments=(
            Fragment(
                id="skill-method",
                template="skills/method.html",
                values={"page": page, "versions": versions},
            ),
        ),
        values={"name": name},
    )


PAGES = (PageRoute(path="/skills/{skill}", section="People", template="skills/skill.html", read=_read),)

"""Skills of third parties: where each comes from, what its gates said, and what waits for the founder."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import read_skill_package, read_skill_packages


async def _read_list(request: PageRequest) -> PageContent:
    packages = await request.services.in_transaction(read_skill_packages)
    return PageContent(
        title="Skills of third parties",
        fragments=(
            Fragment(id="skill-packages", template="skill_packages/list.html", values={"packages": packages}),
        ),
        values={},
    )


async def _read_one(request: PageRequest) -> PageContent:
    page = await request.services.in_transaction(read_skill_package, request.params["skill"])
    values = {"view": page, "one": page.summary}
    return PageContent(
        title=page.summary.skill.replace("_", " "),
        fragments=(Fragment(id="skill-package", template="skill_packages/facts.html", values=values),),
        values=values,
    )


PAGES = (
    PageRoute(path="/skills", section="People", template="skill_packages/page.html", read=_read_list),
    PageRoute(
        path="/skills/{skill}/package",
        section="People",
        template="skill_packages/package.html",
        read=_read_one,
    ),
)

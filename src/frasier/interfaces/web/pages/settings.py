"""Settings: every one with its value, its default and its source. They are changed beside the page."""

from __future__ import annotations

from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.overview import SettingSource


async def _read(request: PageRequest) -> PageContent:
    changed = request.query.get("changed") == "1"
    text = request.query.get("q", "").strip()
    groups = [
        (group, chosen)
        for group in request.services.list_settings()
        if (
            chosen := [
                one
                for one in group.settings
                if (not changed or one.source is not SettingSource.DEFAULT) and text.upper() in one.name
            ]
        )
    ]
    return PageContent(
        title="Settings",
        fragments=(
            Fragment(id="settings-groups", template="settings/groups.html", values={"groups": groups}),
        ),
        values={"changed": changed, "text": text},
    )


PAGES = (PageRoute(path="/settings", section="Settings", template="settings/page.html", read=_read),)

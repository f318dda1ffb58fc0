"""The plan of a mission that waits for approval, as a text to edit."""

from __future__ import annotations

from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.work import read_waiting_plan


async def _read(request: PageRequest) -> PageContent:
    mission = request.params["mission"]
    plan, text = await request.services.in_transaction(read_waiting_plan, mission)
    values = {
        "mission": mission,
        "plan": plan.plan,
        "digest": request.sent.get("digest", plan.digest),
        "text": request.sent.get("text", text),
    }
    return PageContent(
        title="Edit the plan",
        fragments=(Fragment(id="plan-editor", template="plan/editor.html", values=values),),
    )


async def _edit(request: ActionRequest) -> ActionResult:
    """Replace the waiting plan; it is shown and asked about anew."""
    stored = await request.services.edit_plan(
        request.params["mission"], request.form.text("text"), request.form.text("digest")
    )
    return ActionResult(text=f"Version {stored.version} of the plan waits for your approval.", go_to="/")


PAGES = (PageRoute(path="/missions/{mission}/plan", section="Now", template="plan/page.html", read=_read),)
ACTIONS = (FormAction(path="/missions/{mission}/plan", act=_edit),)

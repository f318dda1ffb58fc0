"""Standing rules: what holds for all work, with forms to record one and to withdraw it."""

from __future__ import annotations

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
from frasier.overview import read_standing_rules


async def _read(request: PageRequest) -> PageContent:
    rules = await request.services.in_transaction(read_standing_rules)
    rehearsal = request.services.setup.rehearsal
    return PageContent(
        title="Standing rules",
        fragments=(
            Fragment(
                id="rules-list", template="rules/list.html", values={"rules": rules, "rehearsal": rehearsal}
            ),
            Fragment(id="rules-add", template="rules/form.html", values={"sent": request.sent}),
        ),
    )


async def _add(request: ActionRequest) -> ActionResult:
    """Record a rule for all work."""
    arguments = {"text": request.form.text("text")}
    return ActionResult(text=sentence(await run(request.services, page_operations.ADD_RULE, arguments)))


async def _withdraw(request: ActionRequest) -> ActionResult:
    """Withdraw a rule; its text is kept."""
    arguments = {"directive": request.params["rule"]}
    return ActionResult(text=sentence(await run(request.services, page_operations.WITHDRAW_RULE, arguments)))


PAGES = (PageRoute(path="/rules", section="Settings", template="rules/page.html", read=_read),)
ACTIONS = (
    FormAction(path="/rules", act=_add),
    FormAction(path="/rules/{rule}/withdraw", act=_withdraw),
)

"""Policies: the rules of each subject with their meanings and defaults, a form to set them, and their versions."""

from __future__ import annotations

from itertools import pairwise

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

_VERSIONS = 20
_RULE = "rule."


async def _read(request: PageRequest) -> PageContent:
    services = request.services
    policies = (await run(services, page_operations.POLICIES, {})).data.policies
    fragments = []
    for policy in policies:
        arguments = {"subject": policy.subject, "limit": _VERSIONS}
        versions = (await run(services, page_operations.POLICY_HISTORY, arguments)).data.versions
        changes = [newer.changes_since(older) for newer, older in pairwise(versions)]
        values = {
            "policy": policy,
            "versions": list(zip(versions, changes, strict=False)),
            "sent": _still_meant(request, policy.subject, policy.version),
        }
        fragments.append(
            Fragment(id=f"policy-{policy.subject}", template="policies/policy.html", values=values)
        )
    return PageContent(
        title="Policies",
        fragments=tuple(fragments),
        values={"subjects": [policy.subject for policy in policies]},
    )


def _still_meant(request: PageRequest, subject: str, version: int) -> dict[str, str]:
    """Return what was typed into a form that was refused; nothing where another version is in force meanwhile, which
    has to be seen first.
    """
    sent = request.sent
    return dict(sent) if (sent.get("subject"), sent.get("version")) == (subject, str(version)) else {}


async def _set(request: ActionRequest) -> ActionResult:
    """Set the rules of a policy, if the version that was shown is still in force."""
    fields = request.form.fields()
    arguments = {
        "subject": request.params["subject"],
        "rules": {name.removeprefix(_RULE): text for name, text in fields.items() if name.startswith(_RULE)},
        "why": request.form.text("why"),
        "version": request.form.text("version"),
    }
    return ActionResult(text=sentence(await run(request.services, page_operations.POLICY_SET, arguments)))


PAGES = (PageRoute(path="/policies", section="Settings", template="policies/page.html", read=_read),)
ACTIONS = (FormAction(path="/policies/{subject}", act=_set),)

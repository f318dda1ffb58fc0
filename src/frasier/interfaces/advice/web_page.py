"""The words of the founder's page: it names its own pages and buttons, and commands for what it does not offer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import quote

from frasier.interfaces.advice.render import CommandLine
from frasier.kernel.advice import Advice

_PLACES: Mapping[str, tuple[str, str]] = {
    "mission.start": ("New", "/new"),
    "mission.show": ("Mission", "/missions/{mission}"),
    "mission.resume": ("Mission", "/missions/{mission}"),
    "mission.retry": ("Mission", "/missions/{mission}"),
    "mission.cancel": ("Mission", "/missions/{mission}"),
    "mission.steer": ("Mission", "/missions/{mission}"),
    "mission.revise": ("Mission", "/missions/{mission}"),
    "mission.ask": ("Mission", "/missions/{mission}"),
    "mission.list": ("Missions", "/missions"),
    "inbox.show": ("Now", "/"),
    "question.decide": ("Now", "/"),
    "approval.give": ("Now", "/"),
    "approval.refuse": ("Now", "/"),
    "outbox.list": ("Outbox", "/outbox"),
    "message.show": ("Talk", "/talk"),
    "event.tail": ("Audit log", "/log"),
    "directive.list": ("Standing rules", "/rules"),
    "directive.add": ("Standing rules", "/rules"),
    "directive.withdraw": ("Standing rules", "/rules"),
    "agent.hire": ("People", "/people"),
    "cost.show": ("Costs", "/costs"),
    "outbox.resend": ("Outbox", "/outbox"),
    "board.list": ("Boards", "/boards"),
    "policy.list": ("Policies", "/policies"),
    "policy.show": ("Policies", "/policies#policy-{subject}"),
    "policy.set": ("Policies", "/policies#policy-{subject}"),
    "task.decide": ("Now", "/"),
    "task.decisions": ("Now", "/"),
    "memory.search": ("Memory", "/memory"),
    "memory.get": ("Memory", "/memory/{id}"),
    "memory.why": ("Memory", "/memory/{id}"),
    "memory.confirm": ("Now", "/"),
}
"""The page on which an action is taken, as its navigation names it, and its address with the advice's arguments."""


def page_for(advice: Advice) -> tuple[str, str] | None:
    """Return the name and the address of the page on which the advised action is taken; None where there is none."""
    name, address = _PLACES.get(advice.action, ("", ""))
    arguments = {key: quote(str(value), safe="") for key, value in advice.arguments.items()}
    try:
        return (name, address.format_map(arguments)) if name else None
    except KeyError:
        return None


class PageWords(CommandLine):
    """The words of somebody who reads the founder's page."""

    def advise(self, advice: Advice) -> str:
        if (place := page_for(advice)) is None:
            return super().advise(advice)
        return f"Open {place[0]}{f' to {advice.to}' if advice.to else ''}."

    def explain_missing(self, move: str, names: Collection[str]) -> str:  # noqa: ARG002
        return f"Fill in {' and '.join(name.replace('_', ' ') for name in names)}."

    def explain_inputs(self, tool: str, names: Collection[str]) -> str:  # noqa: ARG002
        return ""

    def name_input(self, name: str, option: str) -> str:  # noqa: ARG002
        return name.replace("_", " ")

"""The founder's standing rules, which the rehearsal cannot apply: it names them in the final result."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal.page import LABEL, plain
from frasier.llm.standing_rule_form import RULES_HEADING
from frasier.llm.types import ProviderCall

_RULE_CHARS = 160
_RULES_MAX = 6


def with_rules_not_applied(text: str, call: ProviderCall) -> str:
    """Return the text of a final result with the standing rules of its request that were not applied."""
    brief = getattr(call.inputs, "brief", None)
    is_final = LABEL in text and brief is not None and brief.kind is not None
    rules = _rules_of(call) if is_final else []
    if not rules:
        return text
    named = "; ".join(f"“{shorten(plain(rule), _RULE_CHARS)}”" for rule in rules[:_RULES_MAX])
    more = f" and {len(rules) - _RULES_MAX} more" if len(rules) > _RULES_MAX else ""
    note = f"> Standing rules need a model, so these were not applied: {named}{more}."
    return text.replace(LABEL, f"{LABEL}\n>\n{note}", 1)


def _rules_of(call: ProviderCall) -> list[str]:
    """The rules that the system message lists."""
    system = next((message.content for message in call.messages if message.role == "system"), "")
    _, _, behind = system.partition(f"{RULES_HEADING}\n")
    return [
        line.removeprefix("- ") for line in behind.partition("\n\n")[0].splitlines() if line.startswith("- ")
    ]

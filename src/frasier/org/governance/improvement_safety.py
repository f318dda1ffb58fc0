"""The safety filter of improvement proposals: code refuses what loosens a gate, a cap or a review. Pure.

Rules of policies are compared by their direction, texts by the checks of hostile texts and a list of forms. What nobody
has given a direction counts as loosened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from frasier.kernel.hostile_text.scan_text import flags_of, scan_text
from frasier.org.governance.policy_rules import POLICY_RULES, PolicyRules


class LooseningDirection(StrEnum):
    """The change of a rule's value that loosens it."""

    UP = "up"
    DOWN = "down"
    NEITHER = "neither"


LOOSENED_BY: Mapping[tuple[str, str], LooseningDirection] = {
    ("hiring", "automatic"): LooseningDirection.UP,
    ("hiring", "automatic_up_to_usd"): LooseningDirection.UP,
    ("hiring", "per_mission"): LooseningDirection.UP,
    ("hiring", "per_month"): LooseningDirection.UP,
    ("hiring", "for_reviews"): LooseningDirection.DOWN,
    ("trials", "automatic"): LooseningDirection.UP,
    ("trials", "cap_usd"): LooseningDirection.UP,
    ("trials", "max_pairs"): LooseningDirection.DOWN,
    ("trials", "alpha"): LooseningDirection.UP,
    ("trials", "minimum_effect"): LooseningDirection.DOWN,
    ("trials", "days"): LooseningDirection.NEITHER,
    ("trials", "at_second_strike"): LooseningDirection.DOWN,
    ("trials", "at_falling_scores"): LooseningDirection.DOWN,
    ("coherence", "review"): LooseningDirection.DOWN,
    ("coherence", "tries"): LooseningDirection.DOWN,
    ("coherence", "escalate"): LooseningDirection.DOWN,
    ("routines", "budget_usd"): LooseningDirection.UP,
    ("routines", "stand_up"): LooseningDirection.NEITHER,
    ("routines", "brainstorm"): LooseningDirection.NEITHER,
    ("routines", "debate"): LooseningDirection.DOWN,
    ("routines", "mentoring"): LooseningDirection.NEITHER,
    ("routines", "each_up_to_usd"): LooseningDirection.UP,
    ("routines", "share_of_mission"): LooseningDirection.UP,
    ("routines", "minutes"): LooseningDirection.UP,
    ("routines", "speakers"): LooseningDirection.UP,
}
"""The direction that loosens each rule; true is above false. A rule that is missing here is never proposed."""

_GUARD = (
    r"(?:reviews?|reviewers?|gates?|checks?|critiques?|critics?|verifications?|approvals?|citations?|caps?|limits?|budgets?"
    r"|thresholds?|standards?|trials?|safety|prüfung(?:en)?|freigaben?|grenzen?|obergrenzen?|budgets?)"
)
_LOOSE = (
    r"(?:skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|disabl(?:e|es|ed|ing)|bypass(?:es|ed|ing)?|waiv(?:e|es|ed|ing)"
    r"|remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|relax(?:es|ed|ing)?|loosen(?:s|ed|ing)?|weaken(?:s|ed|ing)?"
    r"|switch(?:es|ed)? off|turn(?:s|ed)? off|do without|no longer|fewer|less|without|ignor(?:e|es|ed|ing)"
    r"|überspring(?:e|en|t)|weglassen|lockern|senken|ohne|umgehen|abschalten)"
)
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "loosens a gate, a cap or a review",
        re.compile(rf"\b{_LOOSE}\b.{{0,60}}?\b{_GUARD}\b", re.IGNORECASE | re.DOTALL),
    ),
    (
        "lowers a threshold or a standard",
        re.compile(
            r"\b(?:lower|reduc|decreas|eas|soften)\w*\b.{0,40}?\b(?:thresholds?|standards?|bars?|scores?|minimum|reviews?|checks?)\b",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "raises a cap or a budget",
        re.compile(
            r"\b(?:rais|increas|lift|doubl|tripl|extend|erhöh)\w*\b.{0,40}?\b(?:caps?|limits?|budgets?|spending|obergrenzen?)\b",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "approves without a judgement",
        re.compile(
            r"\b(?:approv|accept|pass)\w*\b.{0,40}?\b(?:by default|automatically|everything|unread|at once|always)\b",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
)


def find_loosening(
    kind: str, target: str, text: str, rules: Mapping[str, Any], now: PolicyRules | None
) -> list[str]:
    """List what forbids an improvement, a sentence each; `now` are the rules in force of a policy that it changes."""
    found = list(_of_text(text))
    if kind == "policy":
        found += _of_rules(target, rules, now)
    elif rules:
        found.append("Only an improvement of a policy changes rules.")
    return found


def _of_text(text: str) -> Iterator[str]:
    yield from dict.fromkeys(finding.about for finding in flags_of(scan_text(text)))
    for about, form in _FORMS:
        if match := form.search(text):
            yield f"It {about}: “{' '.join(match[0].split())[:120]}”."


def _of_rules(subject: str, rules: Mapping[str, Any], now: PolicyRules | None) -> Iterator[str]:
    if subject not in POLICY_RULES or now is None:
        yield f"There is no policy {subject[:60]!r}."
        return
    if not rules:
        yield "It names no rule to change."
    for name, value in rules.items():
        before = getattr(now, name, None)
        direction = LOOSENED_BY.get((subject, name))
        if (
            before is None
            or not isinstance(value, bool | int | float)
            or isinstance(value, bool) != isinstance(before, bool)
        ):
            yield f"The policy {subject} has no rule {name[:60]!r} with such a value."
        elif direction is None:
            yield f"The rule {name} of {subject} is the founder's alone."
        elif (value > before and direction is LooseningDirection.UP) or (
            value < before and direction is LooseningDirection.DOWN
        ):
            yield f"It loosens {subject}.{name}, from {before} to {value}."

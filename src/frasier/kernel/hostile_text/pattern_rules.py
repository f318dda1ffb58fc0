"""The rules of `rules.toml`: what a text, or the code in it, would have an agent or a machine do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, visible
from frasier.kernel.hostile_text.language_patterns import alternatives, language_patterns
from frasier.kernel.hostile_text.text_views import TextViews, View

_NEAR = r"[\s\S]{0,160}?"
_NEGATION = re.compile(
    r"(?:\b(?:never|not|dont|don't|avoid|cannot|nicht|nie|no|ne|não|niet)\b)[^.!?\n]{0,40}$", re.IGNORECASE
)
# "Never forget to" asks for what follows.
_DOUBLE_NEGATION = re.compile(
    r"\b(?:forget|fail|hesitate|omit|neglect|refuse|vergess\w*|oubli\w*|olvid\w*)\b[^.!?\n]{0,30}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRule:
    """A rule: what it is called and says, the view of the text that it searches, and its patterns as one."""

    name: str
    about: str
    view: str
    pattern: re.Pattern[str]
    may_be_forbidden: bool = False
    note: bool = False


def find_by_rules(views: TextViews) -> Iterator[TextFinding]:
    """Find what the rules describe, rule by rule."""
    for rule in _rules():
        for view in _searched(views, rule):
            for match in rule.pattern.finditer(view.text):
                finding = TextFinding(
                    rule=rule.name,
                    level=FindingLevel.NOTE if rule.note else FindingLevel.FLAG,
                    line=view.line_at(match.start()),
                    seen=visible(match[0].strip()),
                    about=rule.about,
                )
                if rule.may_be_forbidden and _is_forbidden(view.text, match.start()):
                    finding = replace(
                        finding, level=FindingLevel.NOTE, about=f"{rule.about} The text forbids it."
                    )
                yield finding


def _searched(views: TextViews, rule: PatternRule) -> tuple[View, ...]:
    return {"raw": (views.raw,), "plain": (views.plain,), "both": (views.raw, views.plain)}[rule.view]


@cache
def _rules() -> tuple[PatternRule, ...]:
    text = files("frasier.kernel.hostile_text").joinpath("rules.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    return (_exfiltration(table["exfiltration"]), *(_rule(row) for row in table["rule"]))


def _rule(row: dict[str, Any]) -> PatternRule:
    return PatternRule(
        pattern=_compile(row["patterns"]),
        **{name: value for name, value in row.items() if name != "patterns"},
    )


def _exfiltration(table: dict[str, list[str]]) -> PatternRule:
    secret, send, place = (alternatives(table[name]) for name in ("secret", "send", "place"))
    orders = [(send, secret, place), (secret, send, place), (send, place, secret)]
    for one in language_patterns():
        if one.language != "english":
            send, secret = f"{one.start}{one.send}", f"{one.start}{one.secrets}"
            orders += [
                (send, secret, place),
                (secret, send, place),
                (secret, place, send),
                (place, secret, send),
            ]
    return PatternRule(
        name="exfiltration",
        about="It has secrets sent away.",
        view="both",
        pattern=_compile([_NEAR.join(order) for order in orders]),
        may_be_forbidden=True,
    )


def _compile(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


def _is_forbidden(text: str, start: int) -> bool:
    """Tell whether what begins at `start` is forbidden rather than asked for by the words before it."""
    before = text[max(start - 60, 0) : start]
    return bool(_NEGATION.search(before)) and not _DOUBLE_NEGATION.search(before)

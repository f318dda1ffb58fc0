"""Instructions that set others aside, or hide something from people, in any language that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, visible
from frasier.kernel.hostile_text.language_patterns import LanguagePatterns, language_patterns
from frasier.kernel.hostile_text.text_views import TextViews

_SENTENCE = "[^.!?。！？\n]"


def find_instructions(views: TextViews) -> Iterator[TextFinding]:
    """Find instructions against those that the reader has, also where their words or letters are parted."""
    for loose, tight in _override_patterns():
        for view, pattern in ((views.plain, loose), (views.squeezed, tight)):
            for match in pattern.finditer(view.text):
                yield TextFinding(
                    rule="override_instructions",
                    level=FindingLevel.FLAG,
                    line=view.line_at(match.start()),
                    seen=visible(match[0].strip()),
                    about="It asks to set other instructions aside.",
                )
    for match in _hide_pattern().finditer(views.plain.text):
        yield TextFinding(
            rule="hides_from_people",
            level=FindingLevel.FLAG,
            line=views.plain.line_at(match.start()),
            seen=visible(match[0].strip()),
            about="It asks to hide something from people.",
        )


@cache
def _override_patterns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return for each language a pattern for text with blanks and punctuation, and one for text without."""
    return tuple(
        (_override(one, squeezed=False), _override(one, squeezed=True)) for one in language_patterns()
    )


def _override(language: LanguagePatterns, *, squeezed: bool) -> re.Pattern[str]:
    def part(words: str) -> str:
        return words.replace(" ", "") if squeezed else f"{language.start}{words}"

    far, near = (r"\w{0,8}?", r"\w{0,8}?") if squeezed else (f"{_SENTENCE}{{0,40}}?", f"{_SENTENCE}{{0,25}}?")
    verbs, former, orders = part(language.verbs), part(language.former), part(language.orders)
    named = f"(?:{orders}|{part(language.rules)})" if language.rules else orders
    shapes = [
        f"{verbs}{far}{former}{near}{named}",
        f"{verbs}{far}{named}{near}{former}",
        f"{former}{near}{named}{far}{verbs}",
    ]
    if language.all:
        every = part(language.all)
        shapes += [f"{verbs}{far}{every}{near}{orders}", f"{every}{near}{orders}{far}{verbs}"]
    return re.compile("|".join(shapes))


@cache
def _hide_pattern() -> re.Pattern[str]:
    return re.compile("|".join(pattern for one in language_patterns() for pattern in one.hide))

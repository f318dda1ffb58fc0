"""The kinds of deliverables: what a reader does with one decides how it is written, judged and published. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from frasier.kernel.errors import InvalidInput


class DeliverableKind(StrEnum):
    """The use of a mission's final result to its reader; prompts/kind_rules.py has the rules of each."""

    REPORT = "report"
    ANSWER = "answer"
    COMPARISON = "comparison"
    DECISION_PAPER = "decision_paper"
    PLAN = "plan"
    CONTENT = "content"
    DATA = "data"

    @property
    def words(self) -> str:
        """The name as it is written in a sentence."""
        return self.value.replace("_", " ")

    @property
    def with_article(self) -> str:
        """The name after "the result is"."""
        if self in {DeliverableKind.CONTENT, DeliverableKind.DATA}:  # of which there are no single ones
            return self.words
        return f"{'an' if self.words[0] in 'aeiou' else 'a'} {self.words}"


def kind_named(name: str) -> DeliverableKind:
    """Return the kind of a name in any spelling, such as "Decision paper", or of a beginning that only one name has.

    Raises InvalidInput if there is none, or several.
    """
    typed = re.sub(r"[\s_-]+", "_", name.strip().casefold())
    beginning = [kind for kind in DeliverableKind if typed and kind.value.startswith(typed)]
    if typed in beginning or len(beginning) == 1:
        return next((kind for kind in beginning if kind == typed), beginning[0])
    raise InvalidInput(
        f"Several kinds of deliverables begin with {name!r}."
        if beginning
        else f"There is no kind of deliverable {name!r}.",
        kept="Nothing was started.",
        hint=f"Name one of: {', '.join(kind.words for kind in beginning or DeliverableKind)}.",
    )

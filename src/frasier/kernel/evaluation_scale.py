"""The labels by which a used artefact is evaluated, each with what it means and with the number that it counts as."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Usefulness(StrEnum):
    """The degree to which an artefact carried the work of whoever used it, the worst first."""

    MISLEADING = "misleading"
    MARGINAL = "marginal"
    ADEQUATE = "adequate"
    GOOD = "good"
    ESSENTIAL = "essential"

    @property
    def points(self) -> int:
        """The number of the label, 1 to 5."""
        return list(Usefulness).index(self) + 1


class Clarity(StrEnum):
    """The ease with which an artefact was understood by whoever used it, the worst first."""

    OBSCURE = "obscure"
    LABORIOUS = "laborious"
    READABLE = "readable"
    CLEAR = "clear"
    EXEMPLARY = "exemplary"

    @property
    def points(self) -> int:
        """The number of the label, 1 to 5."""
        return list(Clarity).index(self) + 1


USEFULNESS_ANCHORS: Mapping[Usefulness, str] = {
    Usefulness.MISLEADING: "following it led the work astray, or what was built on it had to be undone",
    Usefulness.MARGINAL: "most of what the work needed had to be found elsewhere",
    Usefulness.ADEQUATE: "it carried the work, with gaps that had to be closed",
    Usefulness.GOOD: "nearly all of it was used as it stood",
    Usefulness.ESSENTIAL: "the work rests on it, and nothing that it should hold was missing",
}
"""The meaning of each label of usefulness."""

CLARITY_ANCHORS: Mapping[Clarity, str] = {
    Clarity.OBSCURE: "its meaning had to be guessed",
    Clarity.LABORIOUS: "parts had to be read several times",
    Clarity.READABLE: "it was understood on one reading, with effort in places",
    Clarity.CLEAR: "it was understood on one reading",
    Clarity.EXEMPLARY: "what was needed was found at once, and nothing could be misread",
}
"""The meaning of each label of clarity."""

"""The depth to which a mission is carried out."""

from __future__ import annotations

from enum import StrEnum


class MissionDepth(StrEnum):
    """The depth of a mission: one step and one round of research, the usual bounds, or more of both and reviews by
    people of every result.
    """

    SIMPLE = "simple"
    STANDARD = "standard"
    DEEP = "deep"

"""The depth of a mission, as far as it can be told before it is planned. Pure."""

from __future__ import annotations

from frasier.llm import Tier, choose_tier
from frasier.org.missions.missions import Mission

_DEEP_DOCUMENTS = 12
_DEEP_DIRECTIVE_WORDS = 60


def is_deep(mission: Mission) -> bool:
    """Whether a mission needs thought before its plan: its directive asks for complex work, or is long, or it has many
    documents.
    """
    return (
        choose_tier(mission.directive) is not Tier.T1
        or len(mission.directive.split()) >= _DEEP_DIRECTIVE_WORDS
        or mission.source_count >= _DEEP_DOCUMENTS
    )

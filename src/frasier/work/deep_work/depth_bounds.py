"""The bounds of deep work and of reviews by the depth of a mission. Pure."""

from __future__ import annotations

from frasier.kernel.mission_depth import MissionDepth
from frasier.org.governance import AutonomySettings
from frasier.work.settings import PipelineSettings

_ROUNDS_MAX = 5
_REVISIONS_MAX = 4
_NO_APPROVAL_BY_POLICY = 5.0


def pipeline_bounds(settings: PipelineSettings, depth: MissionDepth) -> PipelineSettings:
    """Return the bounds of a step's work: a simple one reads and revises once, a deep one once more than usual."""
    match depth:
        case MissionDepth.SIMPLE:
            rounds, revisions = min(1, settings.rounds_max), min(1, settings.revisions_max)
        case MissionDepth.DEEP:
            rounds = min(_ROUNDS_MAX, settings.rounds_max + 1)
            revisions = min(_REVISIONS_MAX, settings.revisions_max + 1)
        case _:
            return settings
    return settings.model_copy(update={"rounds_max": rounds, "revisions_max": revisions})


def review_bounds(settings: AutonomySettings, depth: MissionDepth) -> AutonomySettings:
    """Return the policy of reviews: of a deep mission somebody reviews every result that is not without a flaw."""
    if depth is not MissionDepth.DEEP:
        return settings
    return settings.model_copy(update={"auto_approve_from": _NO_APPROVAL_BY_POLICY})

"""The settings of autonomy and reviews."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class AutonomySettings(BaseModel):
    """The conditions for approval without a reviewer (D-026). Scores are the author's critique, 1 to 5.

    From `auto_approve_from` an intermediate step is approved by policy; from `qa_only_from` one QA review is
    enough; below, and for final steps and tier T3 always, QA and an expert both review.
    """

    model_config = ConfigDict(frozen=True)

    enabled: bool = True
    auto_approve_from: float = Field(default=4.0, ge=1, le=5)
    qa_only_from: float = Field(default=3.0, ge=1, le=5)
    citation_score_from: float = Field(default=0.8, ge=0, le=1)
    strikes_max: int = Field(default=3, ge=1, le=5)

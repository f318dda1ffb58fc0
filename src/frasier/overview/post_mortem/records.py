"""The values of a post-mortem."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from frasier.kernel.statistics.estimate import Estimate
from frasier.overview.post_mortem.evaluation_figures import EvaluationRecord
from frasier.overview.post_mortem.judgements import JudgementRecord
from frasier.overview.telemetry.records import MissionTelemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateLine:
    """An amount as it was estimated and as it was."""

    name: str
    low: float
    expected: float
    high: float
    actual: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOutlier:
    """A task whose longest run was unusually long or short, among `n` tasks of its process; `z` is its robust score."""

    key: str
    process: str
    seconds: float
    z: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortemFinding:
    """A figure from `n` observations that stands out by its rule. `kind` names the rule."""

    kind: str
    subject: str
    n: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTest:
    """A test of a rule on a subject. `adjusted_p` is adjusted for everything that was tested at once.

    It `stands_out` if the effect `is_large` by the rule and the adjusted p is below 0.05. With too few observations
    there are no p-values.
    """

    rule: str
    subject: str
    figure: str
    effect: Estimate
    p_value: float | None
    is_large: bool
    adjusted_p: float | None = None
    stands_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortemFacts:
    """Numbers of the facts about a mission that may come after its end, as they were when it was computed.

    `corrections` counts the results that the founder had corrected, however many reviews had approved each.
    """

    founder_verdicts: int = 0
    corrections: int = 0
    evaluations: int = 0
    model_calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterFacts:
    """Facts of one name that came after a post-mortem was stored."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortem:
    """The post-mortem of a mission. Costs are in millionths of a dollar.

    `unsettled` is what the result lacks, and what its parts do not agree on. `waiting_seconds` are those of the
    critical path at which nobody worked. `timed_tasks` is the number of tasks that outliers were looked for among.
    Verdicts are those of the organisation until the mission ended, and the later ones on its own versions, with models
    or of rehearsals, as the mission is.

    It is stored when the mission ends, at `stored_at`. Where `later` facts have come since, it is computed from all.
    """

    telemetry: MissionTelemetry
    runs: int
    waiting_seconds: float
    accepted: int
    usd_micros_per_accepted: float | None
    verified: int
    statements: int
    usd_micros_per_verified: float | None
    estimate: tuple[EstimateLine, ...]
    judgements: JudgementRecord
    evaluations: EvaluationRecord
    tests: tuple[RuleTest, ...]
    outliers: tuple[TimeOutlier, ...]
    timed_tasks: int
    findings: tuple[PostMortemFinding, ...]
    facts: PostMortemFacts
    stored_at: datetime | None = None
    later: tuple[LaterFacts, ...] = ()
    unsettled: tuple[str, ...] = ()

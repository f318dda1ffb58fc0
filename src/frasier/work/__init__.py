"""Work: workers carry tasks through runs with checkpoints; steps through the deep-work pipeline."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.directive_intake import (
        Directive as Directive,
        StartedMission as StartedMission,
        take_directive as take_directive,
    )
    from frasier.work.runs import (
        PlanningRuns as PlanningRuns,
        ReviewRuns as ReviewRuns,
        StepRuns as StepRuns,
        TalkRuns as TalkRuns,
    )
    from frasier.work.run_outcomes import (
        Done as Done,
        GivenUp as GivenUp,
        NeedsFounder as NeedsFounder,
        RunOutcome as RunOutcome,
        Paused as Paused,
        RetryLater as RetryLater,
    )
    from frasier.work.deep_work import (
        Research as Research,
        cited_numbers as cited_numbers,
        with_sources as with_sources,
    )
    from frasier.work.run_progress import phases_of as phases_of, rules_left_out as rules_left_out
    from frasier.work.research.documents import Problem as Problem
    from frasier.work.research.web_research import PageReader as PageReader
    from frasier.work.research.mission_sources import (
        Source as Source,
        SourceKind as SourceKind,
        sources_of as sources_of,
    )
    from frasier.work.run_lease import Run as Run, RunKind as RunKind
    from frasier.work.settings import (
        Capabilities as Capabilities,
        PipelineSettings as PipelineSettings,
        WorkerSettings as WorkerSettings,
    )
    from frasier.work.worker import Worker as Worker
    from frasier.work.run_progress import OmittedRule as OmittedRule
else:
    lazy_exports(__name__)

"""Work: workers carry tasks through runs with checkpoints; steps through the deep-work pipeline."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.intake import (
        Directive as Directive,
        StartedMission as StartedMission,
        take_directive as take_directive,
    )
    from frasier.work.kinds import (
        PlanningRuns as PlanningRuns,
        ReviewRuns as ReviewRuns,
        StepRuns as StepRuns,
        TalkRuns as TalkRuns,
    )
    from frasier.work.outcome import (
        Done as Done,
        GivenUp as GivenUp,
        NeedsFounder as NeedsFounder,
        RunOutcome as RunOutcome,
        Paused as Paused,
        RetryLater as RetryLater,
    )
    from frasier.work.pipeline import (
        Research as Research,
        cited_numbers as cited_numbers,
        with_sources as with_sources,
    )
    from frasier.work.progress import phases_of as phases_of, rules_left_out as rules_left_out
    from frasier.work.research.documents import Problem as Problem
    from frasier.work.research.pages import PageReader as PageReader
    from frasier.work.research.sources import (
        Source as Source,
        SourceKind as SourceKind,
        sources_of as sources_of,
    )
    from frasier.work.run import Run as Run, RunKind as RunKind
    from frasier.work.settings import (
        Capabilities as Capabilities,
        PipelineSettings as PipelineSettings,
        WorkerSettings as WorkerSettings,
    )
    from frasier.work.worker import Worker as Worker
    from frasier.work.progress import OmittedRule as OmittedRule
else:
    lazy_exports(__name__)

"""Work: workers carry tasks through runs with checkpoints; steps through the deep-work pipeline."""

from frasier.work.intake import Directive, Means, Taken, check_destination, take_directive
from frasier.work.kinds import PlanningRuns, ReviewRuns, StepRuns, TalkRuns
from frasier.work.outcome import Done, GivenUp, NeedsFounder, Outcome, Paused, RetryLater
from frasier.work.pipeline import Research, check_citations, cited_numbers, with_sources
from frasier.work.progress import phases_of, rules_left_out
from frasier.work.research.documents import Problem
from frasier.work.research.pages import PageReader
from frasier.work.research.sources import Source, SourceKind, sources_of
from frasier.work.run import Run, RunKind
from frasier.work.settings import PipelineSettings, WorkerSettings
from frasier.work.worker import Worker

__all__ = [
    "Directive",
    "Done",
    "GivenUp",
    "Means",
    "NeedsFounder",
    "Outcome",
    "PageReader",
    "Paused",
    "PipelineSettings",
    "PlanningRuns",
    "Problem",
    "Research",
    "RetryLater",
    "ReviewRuns",
    "Run",
    "RunKind",
    "Source",
    "SourceKind",
    "StepRuns",
    "Taken",
    "TalkRuns",
    "Worker",
    "WorkerSettings",
    "check_citations",
    "check_destination",
    "cited_numbers",
    "phases_of",
    "rules_left_out",
    "sources_of",
    "take_directive",
    "with_sources",
]

"""Deep work: decompose, research, synthesize, critique, revise. Each phase is a checkpoint."""

from frasier.work.pipeline.citations import check_citations, cited_numbers, with_sources
from frasier.work.pipeline.context import LeftOutRule, StepContext, gather_context, system_prompt
from frasier.work.pipeline.deep_work import DeepWork
from frasier.work.pipeline.gather import Research

__all__ = [
    "DeepWork",
    "LeftOutRule",
    "Research",
    "StepContext",
    "check_citations",
    "cited_numbers",
    "gather_context",
    "system_prompt",
    "with_sources",
]

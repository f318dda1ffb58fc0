"""Deep work: decompose, research, synthesize, critique, revise. Each phase is a checkpoint."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.deep_work.citations import (
        check_citations as check_citations,
        cited_numbers as cited_numbers,
        with_sources as with_sources,
    )
    from frasier.work.deep_work.context import (
        LeftOutRule as LeftOutRule,
        StepContext as StepContext,
        gather_context as gather_context,
        system_prompt as system_prompt,
    )
    from frasier.work.deep_work.pipeline import DeepWork as DeepWork
    from frasier.work.deep_work.research_phase import Research as Research
else:
    lazy_exports(__name__)

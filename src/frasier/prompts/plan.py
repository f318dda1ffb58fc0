"""The request to the chief of staff for a plan."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from frasier.llm import PlanInputs, Purpose, Request, Section, Tier, list_section, source_sections
from frasier.llm.reply_schemas import PlannedStep, PlanReply, StepKey

VERSION = 2

_TASK = """\
Plan the founder's directive as a graph of steps that your colleagues carry out. Rules:
- Each step is one piece of work with a result that can be held in the hands, done by one role.
- Independent questions become parallel steps; a step names in depends_on the keys of the steps it builds on.
- Exactly one final step, written for the founder, builds on all others (directly or through others).
- Whoever is the analyst of a subject writes its comparison or decision paper; the content writer writes what is
  published: posts, mails, pages.
- A step reads at most {sources} sources and asks at most {queries} queries; split what needs more.
- At most {steps} steps, at most {parallel} at once. Fewer is better when fewer will do.
- acceptance: what a reviewer can check in the result without knowing the plan.
- sources_needed and queries_needed are 0 for a step that only works on its predecessors' results.
- escalation stays empty unless only the founder can settle something before work begins: money, strategy, the
  brand, or a capability that nobody here has. Then say in it what you need to know."""


def plan_request(inputs: PlanInputs, *, system: str) -> Request:
    """Build the request for a plan; `system` is the chief of staff's own prompt."""
    task = _TASK.format(
        sources=inputs.max_sources_per_step,
        queries=inputs.max_queries_per_step,
        steps=inputs.max_steps,
        parallel=inputs.max_parallel,
    )
    roles = "\n".join(f"- {r.role}: {r.agent}, {r.title} ({', '.join(r.skills[:6])})" for r in inputs.roles)
    sections = [
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        Section(title="Roles that are filled", text=roles, fixed=True),
        Section(title="What can be researched", text=_means(inputs), fixed=True),
        list_section("What worked before", inputs.hints),
        *source_sections(inputs.outline),
        Section(title="Task", text=task, fixed=True),
        list_section("Your last plan was refused because", inputs.issues, fixed=True),
    ]
    return Request(
        purpose=Purpose.PLAN,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=plan_shape(tuple(sorted({role.role for role in inputs.roles})), inputs.max_steps),
        max_output_tokens=6_000,
    )


@lru_cache(maxsize=64)
def plan_shape(roles: tuple[str, ...], max_steps: int) -> type[PlanReply]:
    """Return the reply type of a plan, bounded to the filled roles and the allowed number of steps.

    A model that is constrained by a grammar cannot break these rules, and any other sees them by name.
    """
    filled: Any = Literal[roles]
    needed: Any = Annotated[list[StepKey], Field(max_length=max_steps - 1)]
    step: Any = create_model(
        "PlannedStep", __base__=PlannedStep, role=(filled, ...), depends_on=(needed, ...)
    )
    steps: Any = Annotated[list[step], Field(min_length=1, max_length=max_steps)]
    return create_model("PlanReply", __base__=PlanReply, steps=(steps, ...))


def _means(inputs: PlanInputs) -> str:
    count = len({passage.number for passage in inputs.outline})
    documents = f"{count} documents, which begin as shown below" if count else "no documents"
    return f"{documents}; web search: {'yes' if inputs.web_search else 'no'}."

"""A plan as a file that the founder edits: TOML with a comment on what each part means. Pure."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from frasier.kernel.errors import InvalidInput
from frasier.kernel.validation_messages import wrong_value
from frasier.llm.reply_schemas import PlannedStep, PlanReply

_HEAD = """\
# The plan as it will be carried out. Change what you like, save, and close the editor.
# A step waits for those in depends_on; exactly one final step builds on all others.
# colleague is the key of who does a step, expert the title of a trade that has to be hired; both empty: by the role.
# subject is the field that whoever reviews its result must know, such as German tax law; empty: anybody may.
# documents are the numbers of those that a step reads, folders those of which it reads all; both empty, all of them.
"""
_PROBLEMS_SHOWN = 8
_OF_PLAN = ("title", "kind", "complexity", "reader", "words", "format", "language")
_OF_STEP = (
    "key",
    "title",
    "task",
    "role",
    "colleague",
    "expert",
    "expert_reason",
    "subject",
    "depends_on",
    "acceptance",
    "sources_needed",
    "queries_needed",
    "documents",
    "folders",
)
_NOT_EDITED = {"escalation", "question"}


def plan_as_file(plan: PlanReply, agents: Mapping[str, str]) -> str:
    """Write a plan as a file; `agents` are the names of the agents by the keys of their steps."""
    lines = [_HEAD, *(f"{name} = {_value(getattr(plan, name))}" for name in _OF_PLAN)]
    for step in plan.steps:
        lines += ["", "[[steps]]", *_step_lines(step, agents.get(step.key, ""))]
    return "\n".join(lines) + "\n"


def _step_lines(step: PlannedStep, agent: str) -> Iterator[str]:
    for name in _OF_STEP:
        comment = f"  # {agent}" if name == "role" and agent else ""
        yield f"{name} = {_value(getattr(step, name))}{comment}"
    table = step.table
    if table.columns:
        yield "[steps.table]"
        for name in ("entry", "sort_by", "descending"):
            yield f"{name} = {_value(getattr(table, name))}"
        for name in ("columns", "conditions"):
            rows = [_value(row.model_dump()) for row in getattr(table, name)]
            yield (
                f"{name} = [{''.join(f'{chr(10)}    {row},' for row in rows)}\n]" if rows else f"{name} = []"
            )


def _value(value: Any) -> str:
    """Write a value of a plan in TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_value(item)}" for name, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def read_plan_file(text: str) -> PlanReply:
    """Read an edited plan. Raises InvalidInput with every problem: TOML that cannot be read, unknown keys, values that
    are none.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise refused_edit(f"It cannot be read as TOML: {error}.") from None
    named = [f"{name} is not known" for name in data if name in _NOT_EDITED]
    try:
        plan = PlanReply.model_validate({**data, "escalation": ""})
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        named += [wrong_value(_place(problem["loc"]), problem) for problem in problems]
        raise refused_edit(*named) from None
    if named:
        raise refused_edit(*named)
    return plan


def _place(path: tuple[int | str, ...]) -> str:
    """Name the field of a problem as its writer sees it, such as `role of step 2`."""
    names = [f"item {part + 1}" if isinstance(part, int) else part for part in path]
    if len(names) >= 2 and names[0] == "steps":
        step = names[1].replace("item", "step")
        return f"{'.'.join(names[2:])} of {step}" if names[2:] else step
    return ".".join(names)


def refused_edit(*problems: str) -> InvalidInput:
    """Return the error of an edited plan that cannot be read or breaks rules."""
    more = f" And {len(problems) - _PROBLEMS_SHOWN} more." if len(problems) > _PROBLEMS_SHOWN else ""
    listed = " ".join(f"{problem.rstrip('.')}." for problem in problems[:_PROBLEMS_SHOWN])
    return InvalidInput(
        f"The edited plan cannot be carried out. {listed}{more}", kept="The plan is as it was before."
    )

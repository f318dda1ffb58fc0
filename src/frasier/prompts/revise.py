"""The request to rewrite a draft after its critique."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from frasier.llm import (
    Purpose,
    Request,
    ReviseInputs,
    Section,
    Tier,
    fenced,
    list_section,
    verification_sections,
)
from frasier.prompts.kind_rules import writing_rules
from frasier.prompts.step_sections import assignment_sections, material_sections
from frasier.prompts.writing_rules import REPLY_TOKENS

VERSION = 7

_TASK = """\
Rewrite your draft so that the gaps are closed; keep what is good. Correct a doubtful statement from its source, cite
the source that does say it, or drop it. The rules of writing hold as before:
"""


def revise_request(
    inputs: ReviseInputs, *, system: str, tier: Tier, find_faults: Callable[[str], Sequence[str]]
) -> Request:
    """Build the request for a better draft; a reply in which `find_faults` finds something is asked for again."""
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(
            inputs.brief,
            inputs.passages,
            (6, [fenced("Your draft", "draft", inputs.draft)]),
            (2, verification_sections(inputs.verification, doubtful_only=True)),
        ),
        list_section("Questions to answer", inputs.questions, fixed=True),
        list_section("What the result must contain", inputs.requirements, fixed=True),
        list_section("Gaps to close", inputs.gaps, fixed=True),
        list_section("What reviewers said before", inputs.feedback),
        Section(title="Task", text=_TASK + writing_rules(inputs.brief.kind), fixed=True),
    ]
    return Request(
        purpose=Purpose.REVISE,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        find_faults=find_faults,
        max_output_tokens=REPLY_TOKENS,
    )

"""The request to a reviewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from frasier.llm import (
    Purpose,
    Request,
    ReviewInputs,
    Section,
    Tier,
    VersionBefore,
    colleague_sections,
    defuse,
    fenced,
    list_section,
    verification_sections,
)
from frasier.llm.reply_schemas import ReviewReply
from frasier.prompts.kind_rules import kind_sections, rubric_section
from frasier.prompts.score_scale import SCORE_SCALE
from frasier.prompts.step_sections import founder_sections

VERSION = 7

_TASK = f"""\
Review the deliverable as the last person between it and the founder. Score five criteria: relevance (does it do the
task and answer the questions), depth, actionability, accuracy (is every statement carried by what it cites),
executive_quality (could the founder read it as it is). Reject when any score is below 3. The statements were compared
with the passages that they cite; [doubtful] stands behind those that no passage carries, [conclusion] behind what the
author concludes. Where “[… characters left out …]” stands, you are shown less than there is. feedback says exactly what
must change, or what convinced you.
passages are one to six quotations of the deliverable on which your verdict rests, the weakest that you found among
them, each copied word for word from it (two sentences at most; … where you leave words out), with a remark that says
what is right or wrong there. A quotation that is not in the deliverable counts for nothing.
changes is empty for a first version. Where a version before is shown, it says what changed since then, and whether what
its reviews asked for was done.

{SCORE_SCALE}"""

_TECHNICAL = """\
You review the craft only: structure, completeness against the acceptance criteria, professionalism, and the
citations. Leave the judgement of the subject to its experts, and score depth as 3 unless the text is plainly thin."""

_COHERENCE = """\
You read the deliverable as a whole; others judge its subject and its craft. Several colleagues wrote the parts that it
is built from, which are shown. Look for passages that contradict each other, or a part without saying so; for what is
said twice; for one thing under two names, or two things under one; and for what the directive asks and nothing answers.
Of a contradiction quote both sides in passages, and say in feedback which of them the parts bear out. Score each
criterion by that alone, and reject only for a fault of that kind that would mislead the reader or leave them without an
answer."""

_SCOPES = {"technical": _TECHNICAL, "coherence": _COHERENCE}


def review_request(
    inputs: ReviewInputs,
    *,
    system: str,
    tier: Tier,
    find_faults: Callable[[ReviewReply], Sequence[str]] | None = None,
) -> Request:
    """Build the request for a verdict; `system` is the reviewer's own prompt. A reply in which `find_faults` finds
    something is asked for again.
    """
    citations = inputs.citations
    computed = (
        f"{defuse(inputs.verification.headline)}; "
        f"{len(citations.cited)} of {citations.quotable} sources are cited; "
        f"unknown citations: {', '.join(f'[{n}]' for n in citations.unknown) or 'none'}."
    )
    sections = [
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        *founder_sections(inputs.answers, inputs.amendments),
        Section(title="What the author had to do", text=defuse(inputs.task), fixed=True),
        list_section("Acceptance criteria", inputs.acceptance, fixed=True),
        Section(title="The reader", text=defuse(inputs.reader), fixed=True),
        *kind_sections(inputs.kind, inputs.form, ()),
        list_section("The questions that it answers", inputs.questions, fixed=True),
        list_section("What earlier versions were sent back for", inputs.earlier_feedback),
        *_before(inputs.before),
        replace(fenced("The deliverable", "deliverable", inputs.deliverable), weight=4),
        *(replace(section, weight=2) for section in colleague_sections(inputs.parts)),
        *(replace(section, weight=3) for section in verification_sections(inputs.verification)),
        Section(title="Computed over the deliverable", text=computed, fixed=True),
        Section(title="Your scope", text=_SCOPES.get(inputs.scope, ""), fixed=True),
        rubric_section(inputs.kind),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.REVIEW,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=ReviewReply,
        find_faults=find_faults,
        max_output_tokens=2_500,
    )


def _before(before: VersionBefore | None) -> list[Section]:
    """Build the sections on the version before; none for a first one."""
    if before is None:
        return []
    changed = before.changed or "Nothing: it says the same, line by line."
    return [
        replace(fenced(f"What changed since version {before.number}", "draft", changed), weight=2),
        list_section(f"The reviews of version {before.number}", before.reviews),
    ]

"""The request to write, or to rewrite, one section of a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from frasier.llm import (
    Purpose,
    Request,
    Section,
    SectionInputs,
    Tier,
    fenced,
    list_section,
    one_line,
    verification_sections,
)
from frasier.prompts.kind_rules import writing_rules
from frasier.prompts.step_sections import assignment_sections, material_sections, written_sections

VERSION = 3

TOKENS_PER_WORD = 2
"""The tokens of a word, as they are estimated, with its share of citation marks and mark-up; German has most."""

_TASK = """\
You write section {number} of the paper, “{heading}”, and nothing else. It covers: {covers}
- It has about {words} words.
- Begin with its first sentence: its heading and the paper's title are put above it. Headings inside it are ###.
- What the outline gives to another section stays there; refer to that section by its heading.
- The rules of writing below hold for the whole paper. What they say of its beginning is done in its first section, what
  they say of its end in the last ones.
"""

_OPENING = """\
- This is the opening, and for some readers all that they read. Say in it what the finished sections above come to, and
  keep their source numbers. It states no fact that they do not have.
"""

_REWRITE = """\
- You wrote it once. Rewrite your draft so that the gaps are closed; keep what is good. Correct a doubtful statement
  from its source, cite the source that does say it, or drop it.
"""

REPLY_TOKENS_PER_WORD = 3
"""The room of a reply for each word of a section, half of it more than the words take."""
_REPLY_TOKENS_MIN = 600


def section_request(
    inputs: SectionInputs, *, system: str, tier: Tier, find_faults: Callable[[str], Sequence[str]]
) -> Request:
    """Build the request for a section's text; a reply in which `find_faults` finds something is asked for again."""
    section = inputs.section
    task = _TASK.format(
        number=inputs.number,
        heading=one_line(section.heading),
        covers=one_line(section.covers),
        words=f"{section.words:,}",
    )
    task += (_OPENING if inputs.number == 1 else "") + (_REWRITE if inputs.draft else "")
    draft = [fenced("Your draft", "draft", inputs.draft)] if inputs.draft else []
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(
            inputs.brief,
            inputs.passages,
            (2, written_sections(inputs.written)),
            (6, draft),
            (2, verification_sections(inputs.verification, doubtful_only=True)),
            outline=inputs.outline,
        ),
        list_section("What the whole paper must contain", inputs.requirements, fixed=True),
        list_section("Gaps to close", inputs.gaps, fixed=True),
        Section(title="Task", text=f"{task}\n{writing_rules(inputs.brief.kind)}", fixed=True),
    ]
    return Request(
        purpose=Purpose.SECTION,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        find_faults=find_faults,
        max_output_tokens=max(_REPLY_TOKENS_MIN, section.words * REPLY_TOKENS_PER_WORD),
    )

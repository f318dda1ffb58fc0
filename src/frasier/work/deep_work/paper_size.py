"""The size of a paper, a text that is too long for one reply: its sections, and the calls that they take. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import OutlinedSection, StepBrief
from frasier.llm.reply_schemas import SECTIONS_MAX, SectionPlan
from frasier.prompts import REPLY_TOKENS_PER_WORD, TOKENS_PER_WORD

# Kinds that are never papers: an answer is short, and data are a table.
_AT_ONCE = (None, DeliverableKind.ANSWER, DeliverableKind.DATA)
_SECTION_WORDS_MIN = 500  # on average; a single one may be shorter
_WORDS_PER_JUDGE_CALL = 1_200  # sixty statements of twenty words


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSize:
    """The size of a paper of `words`, with sections of at most `section_words_max`, each in a reply of its own."""

    words: int
    section_words_max: int

    @property
    def sections_min(self) -> int:
        return min(max(2, ceil(self.words / self.section_words_max)), SECTIONS_MAX)

    @property
    def sections_max(self) -> int:
        return min(max(self.sections_min + 2, self.words // _SECTION_WORDS_MIN), SECTIONS_MAX)

    def fit(self, sections: list[SectionPlan]) -> tuple[OutlinedSection, ...]:
        """Return the planned sections, scaled so that together they have the words of the paper.

        What a section would have beyond its room is shared out among the others.
        """
        words = self._share_words([section.words for section in sections])
        return tuple(
            OutlinedSection(
                heading=" ".join(section.heading.strip("# ").split()) or f"Section {number}",
                covers=section.covers,
                words=words[number],
            )
            for number, section in enumerate(sections, start=1)
        )

    def _share_words(self, planned: list[int]) -> dict[int, int]:
        words: dict[int, int] = {}
        left, free = self.words, dict(enumerate(planned, start=1))
        while free:
            total = sum(free.values())
            full = [number for number in free if free[number] * left > self.section_words_max * total]
            for number in full or list(free):
                words[number] = self.section_words_max if full else max(1, round(free[number] * left / total))
            left -= self.section_words_max * len(full)
            free = {number: share for number, share in free.items() if number not in words}
        return words

    def calls_max(self, sections: int, *, judged: bool, revised: bool) -> int:
        """Estimate the most calls of a paper, repairs of unusable replies aside.

        One outlines it, one writes each section, one reads the whole, and one rewrites each section. A judge reads it
        twice, 1,200 words a call.
        """
        passes = 2 if revised else 1
        judging = passes * ceil(self.words / _WORDS_PER_JUDGE_CALL) if judged else 0
        return 2 + passes * sections + judging


def size_of_paper(brief: StepBrief, *, reply_tokens: int) -> PaperSize | None:
    """Return the size of a step's result as a paper; None if one reply of `reply_tokens` can hold it."""
    words = brief.form.words
    if brief.kind in _AT_ONCE or words * TOKENS_PER_WORD <= reply_tokens:
        return None
    return PaperSize(words=words, section_words_max=reply_tokens // REPLY_TOKENS_PER_WORD)

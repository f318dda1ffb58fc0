"""The faults of a draft as a deliverable of its kind, which send it back to its author. Pure."""

from __future__ import annotations

import re

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.language import language_named, language_of
from frasier.kernel.limits import ANSWER_WORDS_MAX
from frasier.kernel.records import is_table_rule
from frasier.llm import StepBrief
from frasier.work.deep_work.written_table import find_table_faults
from frasier.work.verification.citations import without_citations

# A few more than the rules say are no reason to pay for another draft.
_ANSWER_WORDS_TOLERATED = 320
# Of a wanted length; a critic judges what lies between.
_SHARE_MIN, _SHARE_MAX = 0.6, 1.4
# Thai, kana, and the Chinese characters.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_WITH_TABLE = (DeliverableKind.COMPARISON, DeliverableKind.DECISION_PAPER, DeliverableKind.PLAN)


def find_kind_faults(brief: StepBrief, text: str) -> list[str]:
    """List the faults of a draft as a result of its kind and form, one sentence each."""
    return [
        *_find_faults_of_kind(brief, text),
        *find_length_faults(brief, text),
        *_find_language_faults(brief, text),
    ]


def find_length_faults(brief: StepBrief, text: str) -> list[str]:
    """List the fault of a text that is far from its wanted length; records have none."""
    wanted = brief.form.words
    words = _count_words(without_citations(text))
    if (
        brief.kind is DeliverableKind.DATA
        or not wanted
        or _SHARE_MIN * wanted <= words <= _SHARE_MAX * wanted
    ):
        return []
    return [f"It has {words:,} words; about {wanted:,} are wanted."]


def _find_language_faults(brief: StepBrief, text: str) -> list[str]:
    """List the fault of a text that is clearly in another language than is wanted.

    Records are in that of their documents, and the founder may have asked for another since it was planned.
    """
    wanted = language_named(brief.form.language)
    if wanted is None or brief.amendments or brief.kind is DeliverableKind.DATA:
        return []
    language = language_of(without_citations(text), likely=(wanted,))
    if language is None or language == wanted:
        return []
    return [f"It is written in {language.capitalize()}; {wanted.capitalize()} is wanted."]


def _count_words(text: str) -> int:
    """Count words; in scripts without blanks between them, two letters make one."""
    return len(_UNSPACED.sub(" ", text).split()) + len(_UNSPACED.findall(text)) // 2


def _find_faults_of_kind(brief: StepBrief, text: str) -> list[str]:
    lines = text.splitlines()
    if brief.kind in _WITH_TABLE and not any("|" in line and is_table_rule(line.strip()) for line in lines):
        return [f"It has no table, which a {brief.kind.words} needs."]
    match brief.kind:
        case DeliverableKind.ANSWER if (words := len(re.findall(r"\w+", text))) > _ANSWER_WORDS_TOLERATED:
            return [f"It has {words} words; an answer has at most {ANSWER_WORDS_MAX}."]
        case DeliverableKind.CONTENT if any(line.startswith(">") for line in lines):
            return ['It has lines that begin with ">", which would be published.']
        case DeliverableKind.DATA:
            return find_table_faults(text, brief.columns)
        case _:
            return []

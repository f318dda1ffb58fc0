"""The faults of a draft as a deliverable of its kind, which send it back to its author. Pure."""

from __future__ import annotations

import re

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.records import is_table_rule
from frasier.llm import StepBrief
from frasier.work.deep_work.written_table import find_table_faults

# The rules say 250; a few more are no reason to pay for another draft.
_ANSWER_WORDS_MAX = 320
_WITH_TABLE = (DeliverableKind.COMPARISON, DeliverableKind.DECISION_PAPER, DeliverableKind.PLAN)


def find_kind_faults(brief: StepBrief, text: str) -> list[str]:
    """List the faults of a draft as a result of its kind, one sentence each."""
    lines = text.splitlines()
    if brief.kind in _WITH_TABLE and not any("|" in line and is_table_rule(line.strip()) for line in lines):
        return [f"It has no table, which a {brief.kind.words} needs."]
    match brief.kind:
        case DeliverableKind.ANSWER if (words := len(re.findall(r"\w+", text))) > _ANSWER_WORDS_MAX:
            return [f"It has {words} words; an answer has at most 250."]
        case DeliverableKind.CONTENT if any(line.startswith(">") for line in lines):
            return ['It has lines that begin with ">", which would be published.']
        case DeliverableKind.DATA:
            return find_table_faults(text, brief.columns)
        case _:
            return []

"""The founder's decisions: asked for by a refused move, bound to exactly that move, and used once."""

from frasier.workflow.decisions.about import Brief, briefs
from frasier.workflow.decisions.answering import answer_decision
from frasier.workflow.decisions.asking import ask_decision, decisions_to_remind
from frasier.workflow.decisions.needing import (
    Asked,
    DecisionNeeded,
    asked_before,
    needs_decision,
    use_decision,
)
from frasier.workflow.decisions.reading import (
    Decision,
    decisions_of,
    find_decision,
    named_decision,
    open_decisions,
)

__all__ = [
    "Asked",
    "Brief",
    "Decision",
    "DecisionNeeded",
    "answer_decision",
    "ask_decision",
    "asked_before",
    "briefs",
    "decisions_of",
    "decisions_to_remind",
    "find_decision",
    "named_decision",
    "needs_decision",
    "open_decisions",
    "use_decision",
]

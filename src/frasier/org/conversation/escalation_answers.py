"""The answers that an escalation can be given."""

from __future__ import annotations

from enum import StrEnum


class EscalationAnswer(StrEnum):
    """An answer to an escalation.

    `continue`: the cause is settled, or the answer is in the note, and the task goes on where it was. `retry`: a failed
    step is tried again. `replan`: the chief of staff plans the step anew. `skip`: the mission goes on without the step.
    `fail`: the mission ends with what there is. `cancel`: the mission is not wanted any more.
    """

    CONTINUE = "continue"
    RETRY = "retry"
    REPLAN = "replan"
    SKIP = "skip"
    FAIL = "fail"
    CANCEL = "cancel"


TROUBLE = "blocked"
"""The kind of a question about a cause that stopped a task, such as a model that refuses; the task can be retried."""

CLARIFICATION = "clarification"
"""The kind of the planner's question what an ambiguous directive means."""

ESCALATION = "escalation"
"""The kind of a question that stopped a task and needs an answer in words."""

ASKS_FOR_WORDS = frozenset({CLARIFICATION, ESCALATION})
"""The kinds of questions that the founder answers in words; a word that is one of the options is that option."""

AS_YOU_THINK_BEST = "As you think best."

STEP_RESOLUTIONS = frozenset({EscalationAnswer.REPLAN, EscalationAnswer.SKIP, EscalationAnswer.FAIL})
"""The resolutions that are about a step of a mission, and no other task."""

PLAN_QUESTION = "plan"
"""The kind of the question whether a plan is carried out."""

HIRE_QUESTION = "hire"
"""The kind of the question whether a colleague is hired."""

TRIAL_QUESTION = "trial"
"""The kind of the question whether the trial of a new persona begins."""
ROUTINE_QUESTION = "routine"
"""The kind of the question that a stand-up ends with."""

YES, NO = "yes", "no"
CONTINUE, CANCEL = "continue", "cancel"

"""Governance: the autonomy policy, reviewers, verdicts, and what only the founder can settle."""

from frasier.org.governance.autonomy import ReviewKind, ReviewRoute, route_review
from frasier.org.governance.questions import (
    Question,
    answer_question,
    ask_founder,
    find_question,
    last_settled_at,
    open_questions,
    withdraw_questions,
)
from frasier.org.governance.reviewers import choose_reviewer, review_scope
from frasier.org.governance.reviews import (
    Review,
    approve_by_policy,
    ask_for_review,
    review_of_task,
    reviews_of_steps,
    store_verdict,
    withdraw_reviews,
)
from frasier.org.governance.settings import AutonomySettings
from frasier.org.governance.verdict import Verdict, judge

__all__ = [
    "AutonomySettings",
    "Question",
    "Review",
    "ReviewKind",
    "ReviewRoute",
    "Verdict",
    "answer_question",
    "approve_by_policy",
    "ask_for_review",
    "ask_founder",
    "choose_reviewer",
    "find_question",
    "judge",
    "last_settled_at",
    "open_questions",
    "review_of_task",
    "review_scope",
    "reviews_of_steps",
    "route_review",
    "store_verdict",
    "withdraw_questions",
    "withdraw_reviews",
]

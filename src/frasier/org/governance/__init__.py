"""Governance: the autonomy policy, reviewers, verdicts, and what only the founder can settle."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.governance.autonomy import (
        ReviewKind as ReviewKind,
        ReviewRoute as ReviewRoute,
        route_review as route_review,
    )
    from frasier.org.governance.questions import (
        FounderQuestion as FounderQuestion,
        answer_question as answer_question,
        ask_founder as ask_founder,
        find_question as find_question,
        last_settled_at as last_settled_at,
        open_questions as open_questions,
        withdraw_questions as withdraw_questions,
    )
    from frasier.org.governance.reviewers import (
        choose_reviewer as choose_reviewer,
        review_scope as review_scope,
    )
    from frasier.org.governance.reviews import (
        Review as Review,
        approve_by_policy as approve_by_policy,
        ask_for_review as ask_for_review,
        review_of_task as review_of_task,
        reviews_of_steps as reviews_of_steps,
        store_verdict as store_verdict,
        withdraw_reviews as withdraw_reviews,
    )
    from frasier.org.governance.settings import AutonomySettings as AutonomySettings
    from frasier.org.governance.verdict import Verdict as Verdict, judge as judge
else:
    lazy_exports(__name__)

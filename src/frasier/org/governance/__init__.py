"""Governance: the autonomy policy, reviewers, verdicts, and what only the founder can settle."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.governance.autonomy import ReviewKind, ReviewRoute, route_review
    from frasier.org.governance.evaluation_reply import evaluation_faults, evaluations_in
    from frasier.org.governance.evaluation_validity import (
        CountedEvaluations,
        count_evaluations,
        evaluator_of,
    )
    from frasier.org.governance.evaluations import (
        EvaluatedVersion,
        Evaluation,
        EvaluationError,
        EvaluationTask,
        EvaluatorRole,
        NewEvaluation,
        QuotedRemark,
        evaluation_errors_of,
        evaluated_missions,
        evaluation_group,
        evaluation_tasks_of,
        evaluations_by,
        evaluations_of_mission,
        get_evaluation_task,
        insert_evaluation_task,
        is_evaluated,
        store_evaluation,
        store_evaluation_error,
        store_member_evaluation,
    )
    from frasier.org.governance.page_sessions import (
        LINK_MINUTES,
        SESSION_DAYS,
        PageSession,
        find_page_session,
        issue_login_link,
        list_page_sessions,
        open_page_session,
        revoke_page_sessions,
    )
    from frasier.org.governance.policies import (
        Policy,
        policy_history,
        policy_in_force,
        read_policies,
        read_policy,
        rules_in_force,
        set_policy,
    )
    from frasier.org.governance.improvement_safety import find_loosening
    from frasier.org.governance.improvements import (
        CitedFigure,
        Improvement,
        ImprovementKind,
        ImprovementState,
        NewImprovement,
        ImprovementReading,
        add_improvement,
        add_reading,
        decide_about_improvement,
        figures_named,
        find_improvement,
        get_reading,
        improvements_of_task,
        last_reading,
        list_improvements,
        note_measured,
    )
    from frasier.org.governance.mission_figures import MissionMeasurements, ReadFigures
    from frasier.org.governance.policy_rules import (
        CoherenceRules,
        DepthRules,
        EvaluationRules,
        HiringRules,
        PolicyRules,
        ProposalRules,
        RoutineRules,
        TrialRules,
    )
    from frasier.org.governance.questions import (
        FounderQuestion,
        answer_question,
        answered_questions,
        ask_founder,
        budgets_asked,
        find_question,
        last_settled_at,
        open_questions,
        questions_about,
        questions_of_entry,
        shown_digest,
        withdraw_questions,
    )
    from frasier.org.governance.quotations import review_faults
    from frasier.org.governance.review_marks import MarkCause, ReviewRecord, mark_review, review_records
    from frasier.org.governance.reviews import (
        ALONE,
        HIRED_FOR_REVIEWS,
        WAIVED,
        Review,
        approve_by_policy,
        ask_for_review,
        feedback_of,
        give_review,
        may_review,
        pending_reviews_of,
        record_waived,
        review_of_task,
        review_note,
        review_scope,
        reviews_of_steps,
        reviews_of_version,
        set_review_aside,
        store_founder_verdict,
        store_verdict,
        waive_review,
        waiver,
        withdraw_reviews,
    )
    from frasier.org.governance.routines import (
        OUTCOMES_OF,
        Routine,
        RoutineKind,
        RoutineOutcome,
        RoutineTurn,
        add_turn,
        begin_routine,
        debate_decisions,
        end_routine,
        find_routine,
        get_routine,
        insert_routine,
        last_stand_up,
        list_routines,
        money_for_routine,
        seconds_left,
        todays_stand_up,
        turns_of,
    )
    from frasier.org.governance.settings import AutonomySettings
    from frasier.org.governance.verdict import Verdict, computed_refusals, judge
else:
    lazy_exports(__name__)

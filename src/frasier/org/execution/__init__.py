"""Execution: steps are delivered, reviewed and accepted, missions completed, and what stops them is settled."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.execution.apply_verdict import apply_verdict, conclude_waived, feedback_on
    from frasier.org.execution.approvals import Decided, approve_named, reject_named
    from frasier.org.execution.coherence import unsettled_of
    from frasier.org.execution.completion import (
        EARLIER_WORK,
        confirm_publication,
        fail_mission,
        settle_mission,
    )
    from frasier.org.execution.delivery import Handover, deliver_step
    from frasier.org.execution.escalations import (
        ask_about_block,
        ask_about_plan_failure,
        block_for_founder,
        worker_actor,
    )
    from frasier.org.execution.founder_answers import (
        DecisionAnswered,
        FileAnswered,
        QuestionAnswered,
        answer_waiting,
    )
    from frasier.org.execution.founder_commands import (
        Retried,
        cancel_named,
        pause_named,
        resume_named,
        retry_named,
    )
    from frasier.org.execution.founder_verdict import StepJudged
    from frasier.org.execution.mission_messages import ask_mission, revise_mission, steer_mission
    from frasier.org.execution.question_reminders import remind_of_questions
    from frasier.org.execution.reviewer_search import ReviewerSearch
    from frasier.org.execution.routine_outcomes import (
        RoutineResult,
        conclude_routine,
        debated_work,
        proposals_for,
        waits_for_debate,
    )
    from frasier.org.execution.staff_changes import (
        StaffChange,
        hire_by_founder,
        rest_agent,
        retire_agent,
        set_team,
        wake_agent,
    )
    from frasier.org.execution.stand_ups import StandUp, happenings_since, hold_stand_up
else:
    lazy_exports(__name__)

"""Planning: directives become missions, missions become steps, steps become accepted deliverables."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.planning.announcements import NOT_URGENT, announcement_digest
    from frasier.org.planning.announcements import ANNOUNCE, announce, notify_founder, standing_announcements
    from frasier.org.planning.coherence import unsettled_of
    from frasier.org.planning.completion import (
        EARLIER_WORK,
        confirm_publication,
        fail_mission,
        settle_mission,
    )
    from frasier.org.planning.decisions import FOUNDER_ANSWER, MISSION_RECORDS
    from frasier.org.planning.degradation import degradation_of, degraded_missions
    from frasier.org.planning.deliverable_rules import find_faults
    from frasier.org.planning.deliverables import (
        REHEARSAL,
        Deliverable,
        Draft,
        accepted_deliverables,
        deliverables_of,
        get_deliverable,
        get_deliverables,
        superseded_deliverables,
    )
    from frasier.org.planning.budget_questions import budgets_asked, end_past_caps
    from frasier.org.planning.evaluation_starts import evaluations_are_to_come, start_evaluations
    from frasier.org.planning.escalations import (
        ask_about_block,
        ask_about_plan_failure,
        block_for_founder,
        worker_actor,
    )
    from frasier.org.planning.step_retry import mission_of
    from frasier.org.planning.apply_verdict import apply_verdict, conclude_waived, feedback_on
    from frasier.org.planning.reviewer_search import ReviewerSearch
    from frasier.org.planning.delivery import Handover, deliver_step
    from frasier.org.planning.routine_outcomes import (
        RoutineResult,
        conclude_routine,
        debated_work,
        proposals_for,
        waits_for_debate,
    )
    from frasier.org.planning.routine_starts import disagreement, find_mentor
    from frasier.org.planning.stand_ups import StandUp, happenings_since, hold_stand_up
    from frasier.org.planning.handover_notes import HandoverNotes, handover_notes_of
    from frasier.org.planning.left_out_steps import LeftOutStep, left_out_of, missing_for
    from frasier.org.planning.separate_rules import CONFIDENCE_MIN, separate_rules
    from frasier.org.planning.attachments import (
        Attachment,
        AttachmentKind,
        add_attachments,
        attachments_of,
    )
    from frasier.org.planning.conversation import (
        FOUNDER_SPEAKS,
        last_turns,
        save_turn,
        topics_before,
    )
    from frasier.org.planning.member_evaluations import evaluate_as_member, evaluated_version
    from frasier.org.planning.messages import (
        FounderMessage,
        MessageIntent,
        MessageAnswer,
        amendments_of,
        answers_of,
        answer_message,
        check_message,
        messages_about,
        said_messages,
        find_message,
        read_message,
        say,
    )
    from frasier.org.planning.mission_messages import ask_mission, revise_mission, steer_mission
    from frasier.org.planning.mission_lifecycle import start_mission
    from frasier.org.planning.new_missions import NewMission, check_directive, insert_mission, title_of
    from frasier.org.planning.missions import (
        PUBLISH_FOLDER,
        Mission,
        MissionStatus,
        count_failed_in_question,
        count_missions,
        find_mission,
        get_mission,
        list_missions,
        open_missions_of_means,
        lock_mission,
        titles_of,
    )
    from frasier.org.planning.assigned_documents import assigned_documents
    from frasier.org.planning.approvals import Decided, approve_named, reject_named
    from frasier.org.planning.default_plan import default_plan
    from frasier.org.planning.depth_bounds import planning_bounds
    from frasier.org.planning.mission_estimate import MissionAmounts, MissionEstimate, StepAmounts
    from frasier.org.planning.plan import (
        EstimatePlan,
        accept_plan,
        begin_plan,
        begin_simple_mission,
        propose_plan,
        tier_of,
        waits_for_founder,
    )
    from frasier.org.planning.plan_staffing import count_authors, hires_needed, propose_staffing
    from frasier.org.planning.plan_decisions import (
        NO,
        PLAN_QUESTION,
        YES,
        ask_about_plan,
        ask_to_clarify,
        plan_changed,
        show_plan,
    )
    from frasier.org.planning.plan_file import plan_as_file, read_plan_file, refused_edit
    from frasier.org.planning.plan_rules import (
        escalation_of,
        final_step,
        find_plan_issues,
        question_of_plan,
    )
    from frasier.org.planning.post_mortems import (
        NewPostMortem,
        StoredPostMortem,
        missions_ended_since,
        missions_without_post_mortem,
        store_post_mortem,
        stored_post_mortem,
    )
    from frasier.org.planning.stored_plans import (
        PlanOrigin,
        PlanState,
        ProposedPlan,
        StoredPlan,
        current_plan,
        plans_of,
        record_plan,
        record_refused_plan,
        set_plan_state,
    )
    from frasier.org.planning.result_table import ResultTable, TableCell, TableRow
    from frasier.org.planning.settings import PlanningSettings
    from frasier.org.planning.shown_mission import mission_state
    from frasier.org.planning.standing_directives import (
        add_stated_directives,
        confirm_directives,
        withdraw_standing_directive,
        RecordedRule,
        record_rule,
    )
    from frasier.org.planning.share_links import (
        DAYS_MAX,
        NewShareLink,
        ShareLink,
        open_share,
        revoke_share,
        share_deliverable,
        share_links,
    )
    from frasier.org.planning.score_trends import read_score_trend
    from frasier.org.planning.step_learning import begin_step_learning
    from frasier.org.planning.persona_rollback import roll_back_persona
    from frasier.org.planning.trials import (
        conclude_pair,
        decision_of,
        gain_of,
        drop_pair,
        end_overdue_trials,
        propose_trial,
        refuse_candidate,
    )
    from frasier.org.planning.trial_subjects import MethodText, subject_of, work_with
    from frasier.org.planning.watched_versions import read_following_work
    from frasier.org.planning.improvements import (
        accept_improvement,
        begin_reading,
        keep_up_improvements,
        measure_improvements,
        refuse_improvement,
    )
    from frasier.org.planning.upskilling import upskill_by_founder
    from frasier.org.planning.staff_changes import (
        StaffChange,
        hire_by_founder,
        rest_agent,
        retire_agent,
        set_team,
        wake_agent,
    )
    from frasier.org.planning.steering import (
        MissionGraph,
        Steered,
        find_steering_issues,
        read_graph,
        steer,
        steered_plan,
    )
    from frasier.org.planning.steps import MissionStep, get_step, steps_of
    from frasier.org.planning.used_memories import UsedMemory, note_used_memories, used_memories
    from frasier.org.planning.founder_answers import (
        DecisionAnswered,
        FileAnswered,
        QuestionAnswered,
        answer_waiting,
    )
    from frasier.org.planning.question_reminders import REMINDER, remind_of_questions
    from frasier.org.planning.replanning import (
        PARTS_MAX,
        PARTS_MIN,
        find_replan_issues,
        may_split,
        split_step,
    )
    from frasier.org.planning.escalation_answers import (
        AS_YOU_THINK_BEST,
        ASKS_FOR_WORDS,
        CLARIFICATION,
        ESCALATION,
        STEP_RESOLUTIONS,
        TROUBLE,
    )
    from frasier.org.planning.founder_commands import (
        Retried,
        cancel_named,
        pause_named,
        resume_named,
        retry_named,
    )
    from frasier.org.planning.founder_verdict import StepJudged
    from frasier.org.planning.named_targets import find_mission_task
else:
    lazy_exports(__name__)

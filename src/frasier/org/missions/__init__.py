"""Missions as they are stored: directives, plans, steps, deliverables, and what is known about them."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.missions.approaches import remember_approach, remember_plan
    from frasier.org.missions.decisions import (
        FOUNDER_ANSWER,
        MISSION_RECORDS,
        remember_accepted_plan,
        remember_answer,
    )
    from frasier.org.missions.degradation import degradation_of, degraded_missions
    from frasier.org.missions.deliverable_rules import find_faults
    from frasier.org.missions.deliverables import (
        Deliverable,
        Draft,
        REHEARSAL,
        accepted_deliverables,
        deliverables_of,
        find_deliverable_of_text,
        get_deliverable,
        get_deliverables,
        store_deliverable,
        superseded_deliverables,
    )
    from frasier.org.missions.handover_notes import HandoverNotes, handover_notes_of, store_handover_notes
    from frasier.org.missions.left_out_steps import (
        LeftOutStep,
        dependants_of,
        left_out_of,
        missing_for,
        record_left_out,
    )
    from frasier.org.missions.mission_depth import is_deep
    from frasier.org.missions.mission_estimate import MissionAmounts, MissionEstimate, StepAmounts
    from frasier.org.missions.missions import (
        Mission,
        MissionStatus,
        PUBLISH_FOLDER,
        complete_mission,
        count_failed_in_question,
        count_missions,
        find_mission,
        get_mission,
        list_missions,
        lock_mission,
        mark_delivered,
        open_missions_of_means,
        set_status,
        titles_of,
    )
    from frasier.org.missions.named_targets import find_mission_or_task, find_mission_task
    from frasier.org.missions.new_missions import NewMission, check_directive, insert_mission, title_of
    from frasier.org.missions.result_table import ResultTable, TableCell, TableRow
    from frasier.org.missions.share_links import (
        DAYS_MAX,
        NewShareLink,
        ShareLink,
        open_share,
        revoke_share,
        share_deliverable,
        share_links,
    )
    from frasier.org.missions.shown_mission import check_mission_shown, mission_state
    from frasier.org.missions.step_learning import begin_step_learning, finish_step_learning
    from frasier.org.missions.steps import (
        MissionStep,
        STEP_LENGTH,
        accepted_works,
        authors_of,
        built_from,
        change_step,
        get_step,
        give_step,
        insert_step,
        lock_step,
        newest_steps_of,
        open_steps_of,
        read_workload,
        remove_step,
        steps_of,
    )
    from frasier.org.missions.stored_plans import (
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
    from frasier.org.missions.used_memories import (
        UsedMemory,
        judge_lessons,
        note_used_memories,
        used_memories,
    )
else:
    lazy_exports(__name__)

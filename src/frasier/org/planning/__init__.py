"""Planning: a directive becomes a plan, the plan a staffed graph of steps, which may change while it is carried out."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.planning.assigned_documents import assigned_documents
    from frasier.org.planning.budget_questions import (
        budget_too_small,
        end_past_caps,
        lacks_budget,
        propose_budget,
        settle_budget,
    )
    from frasier.org.planning.default_plan import default_plan
    from frasier.org.planning.depth_bounds import planning_bounds
    from frasier.org.planning.hiring import decide_about_hire
    from frasier.org.planning.mission_lifecycle import (
        cancel_mission,
        cancel_work,
        give_budget,
        pause_mission,
        restore_result,
        resume_mission,
        start_mission,
    )
    from frasier.org.planning.plan import (
        EstimatePlan,
        accept_plan,
        begin_plan,
        begin_simple_mission,
        propose_plan,
        tier_of,
        waits_for_founder,
    )
    from frasier.org.planning.plan_decisions import (
        ask_about_plan,
        ask_to_clarify,
        decide_plan,
        plan_changed,
        show_plan,
        to_answer,
    )
    from frasier.org.planning.plan_file import plan_as_file, read_plan_file, refused_edit
    from frasier.org.planning.plan_rules import escalation_of, final_step, find_plan_issues, question_of_plan
    from frasier.org.planning.plan_staffing import (
        count_authors,
        hand_over,
        hand_over_of_absent,
        hires_needed,
        propose_staffing,
    )
    from frasier.org.planning.replanning import (
        PARTS_MAX,
        PARTS_MIN,
        find_replan_issues,
        may_split,
        plan_step_anew,
        split_step,
    )
    from frasier.org.planning.review_hires import hire_reviewer, personas_of
    from frasier.org.planning.routine_starts import disagreement, find_mentor, start_debate, start_mentoring
    from frasier.org.planning.settings import PlanningSettings
    from frasier.org.planning.steering import (
        MissionGraph,
        Steered,
        find_steering_issues,
        read_graph,
        steer,
        steered_plan,
    )
    from frasier.org.planning.step_retry import mission_of, retry_step
else:
    lazy_exports(__name__)

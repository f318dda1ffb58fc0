"""Planning: directives become missions, missions become steps, steps become accepted deliverables."""

from frasier.org.planning.announce import ANNOUNCE, announce, standing_announcements
from frasier.org.planning.completion import (
    EARLIER_WORK,
    PUBLISH_FOLDER,
    confirm_publication,
    fail_mission,
    settle_mission,
)
from frasier.org.planning.deliverable_rules import find_faults
from frasier.org.planning.deliverables import (
    Deliverable,
    Draft,
    accepted_deliverables,
    deliverables_of,
    get_deliverable,
)
from frasier.org.planning.escalate import (
    ask_about_block,
    block_for_founder,
    continue_mission,
    decide,
    retry_mission,
    retry_step,
    worker_actor,
)
from frasier.org.planning.handover import Handover, apply_verdict, deliver_step, feedback_on
from frasier.org.planning.message_rules import CONFIDENCE_MIN, separate_rules
from frasier.org.planning.messages import (
    FounderMessage,
    answer_message,
    classify_request,
    read_message,
    say,
    talk_request,
)
from frasier.org.planning.missions import (
    Mission,
    MissionStatus,
    NewMission,
    cancel_mission,
    check_directive,
    find_mission,
    get_mission,
    give_budget,
    list_missions,
    pause_mission,
    resume_mission,
    start_mission,
    title_of,
)
from frasier.org.planning.overview import count_missions, titles_of
from frasier.org.planning.plan import accept_plan, plan_request, plans_of, record_plan, start_simple_mission
from frasier.org.planning.plan_rules import escalation_of, find_plan_issues
from frasier.org.planning.review_request import review_request
from frasier.org.planning.settings import PlanningSettings
from frasier.org.planning.standing_directives import (
    add_standing_directive,
    add_stated_directives,
    confirm_directives,
    withdraw_standing_directive,
)
from frasier.org.planning.steps import Step, get_step, steps_of

__all__ = [
    "ANNOUNCE",
    "CONFIDENCE_MIN",
    "EARLIER_WORK",
    "PUBLISH_FOLDER",
    "Deliverable",
    "Draft",
    "FounderMessage",
    "Handover",
    "Mission",
    "MissionStatus",
    "NewMission",
    "PlanningSettings",
    "Step",
    "accept_plan",
    "accepted_deliverables",
    "add_standing_directive",
    "add_stated_directives",
    "announce",
    "answer_message",
    "apply_verdict",
    "ask_about_block",
    "block_for_founder",
    "cancel_mission",
    "check_directive",
    "classify_request",
    "confirm_directives",
    "confirm_publication",
    "continue_mission",
    "count_missions",
    "decide",
    "deliver_step",
    "deliverables_of",
    "escalation_of",
    "fail_mission",
    "feedback_on",
    "find_faults",
    "find_mission",
    "find_plan_issues",
    "get_deliverable",
    "get_mission",
    "get_step",
    "give_budget",
    "list_missions",
    "pause_mission",
    "plan_request",
    "plans_of",
    "read_message",
    "record_plan",
    "resume_mission",
    "retry_mission",
    "retry_step",
    "review_request",
    "say",
    "separate_rules",
    "settle_mission",
    "standing_announcements",
    "start_mission",
    "start_simple_mission",
    "steps_of",
    "talk_request",
    "title_of",
    "titles_of",
    "withdraw_standing_directive",
    "worker_actor",
]

"""Planning: directives become missions, missions become steps, steps become accepted deliverables."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.planning.announcements import (
        ANNOUNCE as ANNOUNCE,
        announce as announce,
        standing_announcements as standing_announcements,
    )
    from frasier.org.planning.completion import (
        EARLIER_WORK as EARLIER_WORK,
        PUBLISH_FOLDER as PUBLISH_FOLDER,
        confirm_publication as confirm_publication,
        fail_mission as fail_mission,
        settle_mission as settle_mission,
    )
    from frasier.org.planning.deliverable_rules import find_faults as find_faults
    from frasier.org.planning.deliverables import (
        Deliverable as Deliverable,
        Draft as Draft,
        accepted_deliverables as accepted_deliverables,
        deliverables_of as deliverables_of,
        get_deliverable as get_deliverable,
    )
    from frasier.org.planning.escalations import (
        ask_about_block as ask_about_block,
        block_for_founder as block_for_founder,
        mission_of as mission_of,
        worker_actor as worker_actor,
    )
    from frasier.org.planning.delivery import (
        Handover as Handover,
        apply_verdict as apply_verdict,
        deliver_step as deliver_step,
        feedback_on as feedback_on,
    )
    from frasier.org.planning.message_rules import (
        CONFIDENCE_MIN as CONFIDENCE_MIN,
        separate_rules as separate_rules,
    )
    from frasier.org.planning.messages import (
        FounderMessage as FounderMessage,
        answer_message as answer_message,
        classify_request as classify_request,
        read_message as read_message,
        say as say,
        talk_request as talk_request,
    )
    from frasier.org.planning.missions import (
        Mission as Mission,
        MissionStatus as MissionStatus,
        NewMission as NewMission,
        check_directive as check_directive,
        find_mission as find_mission,
        get_mission as get_mission,
        list_missions as list_missions,
        start_mission as start_mission,
    )
    from frasier.org.planning.mission_counts import count_missions as count_missions, titles_of as titles_of
    from frasier.org.planning.plan import (
        accept_plan as accept_plan,
        plan_request as plan_request,
        plans_of as plans_of,
        record_plan as record_plan,
        start_simple_mission as start_simple_mission,
    )
    from frasier.org.planning.plan_rules import (
        escalation_of as escalation_of,
        find_plan_issues as find_plan_issues,
    )
    from frasier.org.planning.review_prompt import review_request as review_request
    from frasier.org.planning.settings import PlanningSettings as PlanningSettings
    from frasier.org.planning.standing_directives import (
        add_stated_directives as add_stated_directives,
        confirm_directives as confirm_directives,
        withdraw_standing_directive as withdraw_standing_directive,
    )
    from frasier.org.planning.steps import (
        MissionStep as MissionStep,
        get_step as get_step,
        steps_of as steps_of,
    )
    from frasier.org.planning.founder_answers import (
        DecisionAnswered as DecisionAnswered,
        FileAnswered as FileAnswered,
        QuestionAnswered as QuestionAnswered,
        answer_waiting as answer_waiting,
    )
    from frasier.org.planning.founder_commands import (
        Retried as Retried,
        cancel_named as cancel_named,
        pause_named as pause_named,
        resume_named as resume_named,
        retry_named as retry_named,
    )
    from frasier.org.planning.named_targets import find_mission_task as find_mission_task
    from frasier.org.planning.standing_directives import (
        RecordedRule as RecordedRule,
        record_rule as record_rule,
    )
else:
    lazy_exports(__name__)

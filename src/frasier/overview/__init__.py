"""The founder's views as frozen values. Each function reads one view in the open transaction, and writes nothing."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.overview.agents import (
        AgentPage as AgentPage,
        AgentSummary as AgentSummary,
        PersonaText as PersonaText,
        RememberedWork as RememberedWork,
        SkillLevel as SkillLevel,
        read_agent as read_agent,
        read_agents as read_agents,
    )
    from frasier.overview.message_answer import (
        AnswerProgress as AnswerProgress,
        read_answer as read_answer,
    )
    from frasier.overview.board import OpenTasks as OpenTasks
    from frasier.overview.costs import (
        Bill as Bill,
        CapLevel as CapLevel,
        CostRow as CostRow,
        MissionCost as MissionCost,
        read_costs as read_costs,
    )
    from frasier.overview.events import (
        read_events as read_events,
        read_events_since as read_events_since,
        read_newest_events as read_newest_events,
    )
    from frasier.overview.inbox import (
        Announcement as Announcement,
        Inbox as Inbox,
        read_inbox as read_inbox,
    )
    from frasier.overview.mission_progress import (
        MissionProgress as MissionProgress,
        ReviewResult as ReviewResult,
        StepProgress as StepProgress,
        read_progress as read_progress,
    )
    from frasier.overview.missions import (
        MissionPage as MissionPage,
        MissionSummary as MissionSummary,
        PlanVersion as PlanVersion,
        read_mission as read_mission,
        read_missions as read_missions,
    )
    from frasier.overview.questions import WaitingQuestion as WaitingQuestion
    from frasier.overview.setup import Setup as Setup
    from frasier.overview.standing_rules import (
        StandingRule as StandingRule,
        read_standing_rules as read_standing_rules,
    )
    from frasier.overview.status import (
        Spend as Spend,
        Status as Status,
        read_status as read_status,
    )
    from frasier.overview.steps import (
        StepPage as StepPage,
        StepVersion as StepVersion,
        VersionText as VersionText,
        read_step as read_step,
        read_version as read_version,
    )
    from frasier.overview.waiting import (
        Effect as Effect,
        InterruptedMission as InterruptedMission,
        PausedTask as PausedTask,
        effects_by_id as effects_by_id,
        read_effects as read_effects,
    )
else:
    lazy_exports(__name__)

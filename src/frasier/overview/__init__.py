"""The founder's views as frozen values. Each function reads one view in the open transaction, and writes nothing."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.overview.agents import (
        AgentPage,
        AgentSummary,
        PersonaText,
        RememberedWork,
        ReviewAgreement,
        SkillLevel,
        read_agent,
        read_agents,
    )
    from frasier.overview.persona_history import (
        PersonaDifference,
        PersonaHistory,
        PersonaVersionView,
        read_persona_difference,
        read_persona_history,
    )
    from frasier.overview.failing_services import FailingServices, read_failing_services
    from frasier.overview.trials import ComparedPair, TrialPage, read_trials
    from frasier.overview.colleagues import ColleagueAffinity
    from frasier.overview.routines import (
        RoutinePage,
        RoutineSummary,
        SpokenLine,
        read_routine,
        read_routines,
    )
    from frasier.overview.message_answer import AnswerProgress, read_answer
    from frasier.overview.board import OpenTasks
    from frasier.overview.costs import Bill, CapLevel, CostRow, MissionCost, Spend, present_day, read_costs
    from frasier.overview.deliverable import (
        DeliverablePage,
        ResultVersion,
        read_deliverable,
    )
    from frasier.overview.evaluations import (
        EvaluationFault,
        EvaluationView,
        MissionEvaluations,
        SilentEvaluator,
        read_evaluations,
    )
    from frasier.overview.events import (
        EventGroups,
        event_group_of,
        read_events,
        read_newest_events,
    )
    from frasier.overview.hires import HireView, read_hires
    from frasier.overview.inbox import Announcement, AnnouncementDigest, Inbox, read_inbox
    from frasier.overview.metrics import Metric, read_metrics
    from frasier.overview.mission_activity import (
        MissionActivity,
        newest_activity,
        read_activity,
    )
    from frasier.overview.mission_plan import (
        AmountRange,
        EstimateView,
        PlannedWork,
        PlanView,
        actual_amounts,
        estimate_view,
    )
    from frasier.overview.mission_ending import MissionEnding
    from frasier.overview.mission_progress import (
        MissionProgress,
        ReviewResult,
        StepProgress,
        read_progress,
    )
    from frasier.overview.mission_page import MissionPage, PlanVersion, read_mission
    from frasier.overview.mission_view import MissionView, read_mission_view
    from frasier.overview.mission_timeline import (
        MissionTimeline,
        SpanKind,
        TimelineRow,
        TimeSpan,
    )
    from frasier.overview.model_troubles import ModelTrouble
    from frasier.overview.missions import MissionSummary, read_missions
    from frasier.overview.offered_names import (
        OfferedName,
        read_mission_names,
        read_question_names,
        read_step_names,
    )
    from frasier.overview.office import AgentAtWork, OfficePlace, OfficeTask, read_office
    from frasier.overview.people import (
        AgentRecord,
        GivenReview,
        WorkNow,
        read_agent_records,
        read_work_now,
    )
    from frasier.overview.post_mortem.evaluation_figures import EvaluationRecord
    from frasier.overview.post_mortem.judgements import JudgementRecord, ReviewerCalibration
    from frasier.overview.post_mortem.records import (
        LaterFacts,
        PostMortem,
        PostMortemFinding,
        RuleTest,
        TimeOutlier,
    )
    from frasier.overview.post_mortem.scores import ProducerRecord, RaterRecord
    from frasier.overview.post_mortem.trends import (
        FigureTrend,
        MissionFigures,
        PostMortemTrends,
        read_post_mortem_trends,
    )
    from frasier.overview.post_mortem.stored import compute_post_mortem, read_post_mortem
    from frasier.overview.improvements import (
        ImprovementPage,
        ImprovementSummary,
        ReadingState,
        read_improvement,
        read_improvements,
        read_reading,
    )
    from frasier.overview.mission_figures import read_mission_figures
    from frasier.overview.rest_time import rests_of, seconds_of_rest
    from frasier.overview.questions import WaitingQuestion, seconds_of_waiting, waiting_questions
    from frasier.overview.setting_values import SettingGroup, SettingSource, SettingValue
    from frasier.overview.setup import Setup
    from frasier.overview.shared import (
        SharedDeliverable,
        ShareSummary,
        read_shared,
        read_shares,
        summaries_of,
    )
    from frasier.overview.skill_packages import (
        GateView,
        PackagePage,
        PackageSummary,
        read_skill_package,
        read_skill_packages,
    )
    from frasier.overview.skills import (
        SkillDiff,
        SkillPage,
        SkillSummary,
        SkillText,
        read_skill,
        read_skill_diff,
        read_skill_history,
        read_skills,
    )
    from frasier.overview.standing_rules import StandingRule, read_standing_rules
    from frasier.overview.status import (
        LatestMission,
        RulesInForce,
        Status,
        WaitingCounts,
        read_status,
    )
    from frasier.overview.steps import StepPage, StepVersion, VersionText, read_step, read_version
    from frasier.overview.step_view import StepView, read_step_view
    from frasier.overview.telemetry.read import ENDS_A_ROUND, read_telemetry
    from frasier.overview.telemetry.records import (
        MissionRound,
        MissionTelemetry,
        PhaseRecord,
        RunRecord,
        Spending,
        TaskRecord,
        TimeUse,
    )
    from frasier.overview.teams import TeamSummary, read_team, read_teams
    from frasier.overview.waiting import (
        UnsettledEffect,
        InterruptedMission,
        PausedTask,
        count_waiting,
        effects_by_id,
        read_effects,
    )
else:
    lazy_exports(__name__)

"""Work: workers carry tasks through runs with checkpoints; steps through the deep-work pipeline."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.uploads import (
        UPLOAD_BYTES_MAX,
        Upload,
        add_upload,
        delete_uploads,
        purge_uploads,
        uploads_of,
        write_uploads,
    )
    from frasier.work.directive_intake import Directive, StartedMission, take_directive
    from frasier.work.conversation.attachments import LinkReader, take_message
    from frasier.work.edit_plan import edit_plan, read_waiting_plan
    from frasier.work.estimates.estimator import PlanEstimator
    from frasier.work.runs.evaluation_run import EvaluationRuns
    from frasier.work.runs.hire_run import HireRuns
    from frasier.work.runs.improvement_run import ImprovementRuns
    from frasier.work.runs.planning_run import PlanningRuns
    from frasier.work.runs.replan_run import ReplanRuns
    from frasier.work.runs.review_run import ReviewRuns
    from frasier.work.runs.routine_run import routine_runs
    from frasier.work.runs.step_run import StepRuns
    from frasier.work.runs.talk_run import TalkRuns
    from frasier.work.runs.trial_pair_run import TrialPairRuns
    from frasier.work.runs.upskill_run import UpskillRuns
    from frasier.work.runs.version_differences import version_differences
    from frasier.work.run_outcomes import Done, GivenUp, NeedsFounder, RunOutcome, Paused, RetryLater
    from frasier.work.verification.citations import (
        CONCLUSION_MARK,
        CitationMark,
        citation_marks,
        numbers_cited,
        with_sources,
        without_citations,
        without_source_lists,
    )
    from frasier.work.verification.verify import DOUBT_MARK, StatementPlace, locate_statements, without_marks
    from frasier.work.post_mortems import PostMortemRecorder
    from frasier.work.run_activity import (
        ActivityLine,
        activity_of,
        began_at,
        latest_activity,
        newest_activity_of,
        open_phases,
    )
    from frasier.work.run_log import LoggedRun, RunPhase, runs_of
    from frasier.work.run_progress import phases_of, rules_left_out, OmittedRule
    from frasier.work.research.documents.copies import copies_in, other_notes
    from frasier.work.research.documents.types import Problem
    from frasier.work.research.web.ip_addresses import AddressGuard, Resolver, resolve_host
    from frasier.work.research.web.pinned_transport import PinnedTransport
    from frasier.work.research.web.urls import normalise_url
    from frasier.work.research.web_research import PageReader
    from frasier.work.research.mission_sources import Source, SourceKind, sources_of
    from frasier.work.run_lease import Run, RunKind
    from frasier.work.settings import AvailableMeans, PipelineSettings, WorkerSettings
    from frasier.work.worker import Worker
else:
    lazy_exports(__name__)

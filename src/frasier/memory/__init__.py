"""The memory: an engine for agents and people, with or without an organisation.

`open_engine` gives the engine, which saves and recalls; what needs only a transaction are the functions here.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.access import Caller as Caller
    from frasier.memory.snapshots.types import (
        Checkpoint as Checkpoint,
        Deleted as Deleted,
        Restored as Restored,
        RestoreMode as RestoreMode,
    )
    from frasier.memory.snapshots.delete_memories import (
        Selection as Selection,
        delete_memories as delete_memories,
        delete_memory as delete_memory,
    )
    from frasier.memory.snapshots.manage import (
        checkpoint_before as checkpoint_before,
        create_checkpoint as create_checkpoint,
        delete_checkpoint as delete_checkpoint,
        list_checkpoints as list_checkpoints,
    )
    from frasier.memory.snapshots.restore import restore_checkpoint as restore_checkpoint
    from frasier.memory.sanitize import (
        fields_with_secrets as fields_with_secrets,
        secrets_notice as secrets_notice,
    )
    from frasier.memory.external_writes.contribution import (
        Contributed as Contributed,
        contribute as contribute,
    )
    from frasier.memory.external_writes.import_memory import import_memory as import_memory
    from frasier.memory.access_tokens.tokens import (
        GET_TOKEN as GET_TOKEN,
        AccessToken as AccessToken,
        issue_first_token as issue_first_token,
        grant_scopes as grant_scopes,
        issue_token as issue_token,
        list_tokens as list_tokens,
        revoke_token as revoke_token,
        verify_token as verify_token,
    )
    from frasier.memory.directives import (
        FittedDirectives as FittedDirectives,
        constitutional_facts as constitutional_facts,
        find_directives as find_directives,
        fit_directives as fit_directives,
        list_directives as list_directives,
        withdraw_directive as withdraw_directive,
    )
    from frasier.memory.engine_health import EngineHealth as EngineHealth
    from frasier.memory.engine import (
        MemoryEngine as MemoryEngine,
        make_engine as make_engine,
        open_engine as open_engine,
    )
    from frasier.memory.files.metadata import ContextType as ContextType, FileProperties as FileProperties
    from frasier.memory.files.scan import (
        FileProblem as FileProblem,
        FileWarning as FileWarning,
        ScanProgress as ScanProgress,
    )
    from frasier.memory.files.index_file import (
        FileStatus as FileStatus,
        IndexedFile as IndexedFile,
        hash_of_file as hash_of_file,
    )
    from frasier.memory.files.walk import LeftOut as LeftOut
    from frasier.memory.files.compose import NewFile as NewFile
    from frasier.memory.files.allowed_paths import Roots as Roots
    from frasier.memory.files.tiers import (
        TierProposal as TierProposal,
        UnreadEdit as UnreadEdit,
        answer_tier_proposal as answer_tier_proposal,
        find_tier_proposal as find_tier_proposal,
        tier_proposals as tier_proposals,
        unread_edits as unread_edits,
    )
    from frasier.memory.files.sections import deliver_sections as deliver_sections
    from frasier.memory.forgetting.consolidation import (
        ConsolidatedFact as ConsolidatedFact,
        ConsolidationReport as ConsolidationReport,
        PrunedEpisode as PrunedEpisode,
        consolidate as consolidate,
    )
    from frasier.memory.forgetting.review_grades import Grade as Grade
    from frasier.memory.forgetting.states import MemoryState as MemoryState
    from frasier.memory.forgetting.retrievability import fades as fades, retrievability as retrievability
    from frasier.memory.forgetting.usage_stats import (
        UsageStats as UsageStats,
        usage_stats_of_memory as usage_stats_of_memory,
    )
    from frasier.memory.forgetting.reviews import (
        MemoryReview as MemoryReview,
        mark_cited as mark_cited,
        review_memory as review_memory,
    )
    from frasier.memory.forgetting.ranking_boost import RankingBoost as RankingBoost
    from frasier.memory.forgetting.archive import restore_archived as restore_archived
    from frasier.memory.graph.coverage import (
        LinkCoverage as LinkCoverage,
        GraphHealth as GraphHealth,
        GraphStats as GraphStats,
        graph_stats as graph_stats,
    )
    from frasier.memory.graph.types import (
        Direction as Direction,
        Edge as Edge,
        EdgeOrigin as EdgeOrigin,
        Linked as Linked,
        Relation as Relation,
        LinkRole as LinkRole,
        LinkedMemory as LinkedMemory,
        RecallStatus as RecallStatus,
        CausalStep as CausalStep,
        Why as Why,
    )
    from frasier.memory.graph.link import (
        drop_extracted as drop_extracted,
        find_edge as find_edge,
        link_memories as link_memories,
        unlink_memories as unlink_memories,
    )
    from frasier.memory.graph.narrative import narrate as narrate
    from frasier.memory.graph.why import why as why
    from frasier.memory.learning.types import (
        Correction as Correction,
        CorrectionStats as CorrectionStats,
        CorrectionType as CorrectionType,
        CorrectionUndone as CorrectionUndone,
        LearningHistory as LearningHistory,
        WorkOutcome as WorkOutcome,
        OutcomesRecorded as OutcomesRecorded,
        TaskLearning as TaskLearning,
        Validation as Validation,
    )
    from frasier.memory.learning.learning_index import (
        Deltas as Deltas,
        LearningBand as LearningBand,
        LearningTrend as LearningTrend,
        Reading as Reading,
    )
    from frasier.memory.learning.tasks import (
        begin_task as begin_task,
        finish_task as finish_task,
        is_task_open as is_task_open,
        learning_history as learning_history,
    )
    from frasier.memory.learning.corrections import correct_memory as correct_memory
    from frasier.memory.learning.history import (
        correction_stats as correction_stats,
        corrections_of as corrections_of,
        find_correction as find_correction,
    )
    from frasier.memory.learning.work_outcomes import (
        promotable as promotable,
        promote_memory as promote_memory,
        record_outcome as record_outcome,
        validate_memory as validate_memory,
    )
    from frasier.memory.learning.undo import undo_correction as undo_correction
    from frasier.memory.lists import (
        MemoryPage as MemoryPage,
        MemoryStats as MemoryStats,
        Order as Order,
        find_memory as find_memory,
        list_memories as list_memories,
        memory_stats as memory_stats,
        find_memories as find_memories,
        markers_of as markers_of,
        recent_of_agent as recent_of_agent,
        recent_of_thread as recent_of_thread,
    )
    from frasier.memory.benchmark.abstention import Abstention as Abstention
    from frasier.memory.benchmark.retrieval_benchmark import (
        ArmResult as ArmResult,
        Measured as Measured,
        Progress as Progress,
        measure as measure,
    )
    from frasier.memory.benchmark.collection import (
        Collection as Collection,
        read_collection as read_collection,
    )
    from frasier.memory.benchmark.metrics import Quality as Quality
    from frasier.memory.usage_proof import Proof as Proof, asked_in as asked_in, contributed as contributed
    from frasier.memory.recall.request import QUERY_CHARS_MAX as QUERY_CHARS_MAX
    from frasier.memory.recall.types import (
        RecallAnswer as RecallAnswer,
        Delivered as Delivered,
        Detail as Detail,
        RecallHit as RecallHit,
        RecallRequest as RecallRequest,
        Stub as Stub,
    )
    from frasier.memory.recall.fusion import Arm as Arm
    from frasier.memory.recall.intents import Intent as Intent, classify as classify
    from frasier.memory.recall.stage_timings import Stage as Stage
    from frasier.memory.save import (
        archive_of_origin as archive_of_origin,
        save_directive as save_directive,
        save_lesson as save_lesson,
        save_marker as save_marker,
        save_memories as save_memories,
        save_memory as save_memory,
    )
    from frasier.memory.admission.save_gate import GateAction as GateAction
    from frasier.memory.admission.versions import (
        AdmissionRecord as AdmissionRecord,
        Version as Version,
        admissions_of as admissions_of,
        lock_memory as lock_memory,
        reinstate as reinstate,
        revert_to_version as revert_to_version,
        versions_of as versions_of,
    )
    from frasier.memory.admission.dry_run import (
        PreflightFinding as PreflightFinding,
        check_before_saving as check_before_saving,
        refuse_errors as refuse_errors,
    )
    from frasier.memory.admission.admit import Saved as Saved
    from frasier.memory.admission.update import update_memory as update_memory
    from frasier.memory.scopes import (
        FOUNDER_SCOPE as FOUNDER_SCOPE,
        SHARED_SCOPE as SHARED_SCOPE,
        agent_scope as agent_scope,
        mission_scope as mission_scope,
    )
    from frasier.memory.lexical_recall import recall_by_words as recall_by_words
    from frasier.memory.sessions.types import Session as Session, SessionStatus as SessionStatus
    from frasier.memory.sessions.lifecycle import (
        beat_sessions as beat_sessions,
        list_sessions as list_sessions,
        open_session as open_session,
        read_session as read_session,
        latest_unfinished_session as latest_unfinished_session,
        resume_latest_session as resume_latest_session,
        save_session as save_session,
    )
    from frasier.memory.sessions.continue_file import write_continue_file as write_continue_file
    from frasier.memory.settings import (
        EmbeddingSettings as EmbeddingSettings,
        FusionSettings as FusionSettings,
        MemorySettings as MemorySettings,
        RerankSettings as RerankSettings,
        ScoringSettings as ScoringSettings,
        SessionSettings as SessionSettings,
        VectorStoreSettings as VectorStoreSettings,
    )
    from frasier.memory.strength.adjustments import Strength as Strength, strength_of as strength_of
    from frasier.memory.types import (
        ASKED_FOR as ASKED_FOR,
        ImportanceTier as ImportanceTier,
        Memory as Memory,
        MemoryKind as MemoryKind,
        MemoryType as MemoryType,
        NewMemory as NewMemory,
        Period as Period,
        Query as Query,
        Recalled as Recalled,
        TypeSource as TypeSource,
    )
    from frasier.memory.maintenance import (
        PROMPT as PROMPT,
        VECTORS as VECTORS,
        Upkeep as Upkeep,
        upkeep as upkeep,
    )
    from frasier.memory.surfaced import (
        CalledMemory as CalledMemory,
        Surfaced as Surfaced,
        called_memories as called_memories,
        surfaced_memories as surfaced_memories,
    )
else:
    lazy_exports(__name__)

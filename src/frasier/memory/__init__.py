"""The memory: an engine for agents and people, with or without an organisation.

`open_engine` gives the engine, which saves and recalls; what needs only a transaction are the functions here.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.access import Caller as Caller
    from frasier.memory.snapshots import (
        Checkpoint as Checkpoint,
        Deleted as Deleted,
        Restored as Restored,
        RestoreMode as RestoreMode,
        Selection as Selection,
        checkpoint_before as checkpoint_before,
        create_checkpoint as create_checkpoint,
        delete_checkpoint as delete_checkpoint,
        delete_memories as delete_memories,
        delete_memory as delete_memory,
        list_checkpoints as list_checkpoints,
        restore_checkpoint as restore_checkpoint,
    )
    from frasier.memory.sanitize import (
        fields_with_secrets as fields_with_secrets,
        secrets_notice as secrets_notice,
    )
    from frasier.memory.external_writes import Contributed as Contributed, contribute as contribute
    from frasier.memory.access_tokens import (
        GET_TOKEN as GET_TOKEN,
        AccessToken as AccessToken,
        issue_first_token as issue_first_token,
        issue_token as issue_token,
        list_tokens as list_tokens,
        revoke_token as revoke_token,
        verify_token as verify_token,
    )
    from frasier.memory.directives import (
        FittedDirectives as FittedDirectives,
        find_directives as find_directives,
        fit_directives as fit_directives,
        list_directives as list_directives,
        withdraw_directive as withdraw_directive,
    )
    from frasier.memory.engine import (
        EngineHealth as EngineHealth,
        MemoryEngine as MemoryEngine,
        make_engine as make_engine,
        open_engine as open_engine,
    )
    from frasier.memory.files import (
        ContextType as ContextType,
        FileStatus as FileStatus,
        IndexedFile as IndexedFile,
        NewFile as NewFile,
        Roots as Roots,
        ScanProgress as ScanProgress,
        TierProposal as TierProposal,
        UnreadEdit as UnreadEdit,
        answer_tier_proposal as answer_tier_proposal,
        deliver_sections as deliver_sections,
        find_tier_proposal as find_tier_proposal,
        hash_of_file as hash_of_file,
        tier_proposals as tier_proposals,
        unread_edits as unread_edits,
    )
    from frasier.memory.forgetting import (
        ConsolidationReport as ConsolidationReport,
        Grade as Grade,
        MemoryState as MemoryState,
        MemoryReview as MemoryReview,
        RankingBoost as RankingBoost,
        consolidate as consolidate,
        mark_cited as mark_cited,
        restore_archived as restore_archived,
        review_memory as review_memory,
    )
    from frasier.memory.graph import (
        LinkCoverage as LinkCoverage,
        Direction as Direction,
        Edge as Edge,
        EdgeOrigin as EdgeOrigin,
        GraphStats as GraphStats,
        Linked as Linked,
        Relation as Relation,
        LinkRole as LinkRole,
        CausalStep as CausalStep,
        Why as Why,
        drop_extracted as drop_extracted,
        find_edge as find_edge,
        graph_stats as graph_stats,
        link_memories as link_memories,
        narrate as narrate,
        unlink_memories as unlink_memories,
        why as why,
    )
    from frasier.memory.learning import (
        Correction as Correction,
        CorrectionStats as CorrectionStats,
        CorrectionType as CorrectionType,
        CorrectionUndone as CorrectionUndone,
        LearningBand as LearningBand,
        LearningHistory as LearningHistory,
        LearningTrend as LearningTrend,
        WorkOutcome as WorkOutcome,
        OutcomesRecorded as OutcomesRecorded,
        Reading as Reading,
        TaskLearning as TaskLearning,
        Validation as Validation,
        begin_task as begin_task,
        correct_memory as correct_memory,
        correction_stats as correction_stats,
        corrections_of as corrections_of,
        find_correction as find_correction,
        finish_task as finish_task,
        learning_history as learning_history,
        promotable as promotable,
        promote_memory as promote_memory,
        record_outcome as record_outcome,
        undo_correction as undo_correction,
        validate_memory as validate_memory,
    )
    from frasier.memory.lists import (
        MemoryPage as MemoryPage,
        MemoryStats as MemoryStats,
        Order as Order,
        find_memory as find_memory,
        list_memories as list_memories,
        memory_stats as memory_stats,
    )
    from frasier.memory.task_markers import markers_of as markers_of, recent_of_agent as recent_of_agent
    from frasier.memory.benchmark import (
        ArmResult as ArmResult,
        Collection as Collection,
        Measured as Measured,
        Progress as Progress,
        Quality as Quality,
        measure as measure,
        read_collection as read_collection,
    )
    from frasier.memory.usage_proof import Proof as Proof, asked_in as asked_in, contributed as contributed
    from frasier.memory.recall import (
        QUERY_CHARS_MAX as QUERY_CHARS_MAX,
        RecallAnswer as RecallAnswer,
        Arm as Arm,
        Delivered as Delivered,
        Detail as Detail,
        Intent as Intent,
        RecallHit as RecallHit,
        RecallRequest as RecallRequest,
        Stage as Stage,
        Stub as Stub,
        classify as classify,
    )
    from frasier.memory.save import (
        save_directive as save_directive,
        save_lesson as save_lesson,
        save_marker as save_marker,
        save_memories as save_memories,
        save_memory as save_memory,
    )
    from frasier.memory.admission import (
        GateAction as GateAction,
        AdmissionRecord as AdmissionRecord,
        PreflightFinding as PreflightFinding,
        Saved as Saved,
        Version as Version,
        admissions_of as admissions_of,
        check_before_saving as check_before_saving,
        refuse_errors as refuse_errors,
        reinstate as reinstate,
        revert_to_version as revert_to_version,
        update_memory as update_memory,
        versions_of as versions_of,
    )
    from frasier.memory.scopes import (
        FOUNDER_SCOPE as FOUNDER_SCOPE,
        SHARED_SCOPE as SHARED_SCOPE,
        agent_scope as agent_scope,
        mission_scope as mission_scope,
    )
    from frasier.memory.lexical_recall import recall_by_words as recall_by_words
    from frasier.memory.sessions import (
        Session as Session,
        SessionStatus as SessionStatus,
        beat_sessions as beat_sessions,
        list_sessions as list_sessions,
        open_session as open_session,
        read_session as read_session,
        write_continue_file as write_continue_file,
    )
    from frasier.memory.settings import (
        EmbeddingSettings as EmbeddingSettings,
        FusionSettings as FusionSettings,
        MemorySettings as MemorySettings,
        RerankSettings as RerankSettings,
        ScoringSettings as ScoringSettings,
        SessionSettings as SessionSettings,
        VectorStoreSettings as VectorStoreSettings,
    )
    from frasier.memory.strength import Strength as Strength, strength_of as strength_of
    from frasier.memory.types import (
        ImportanceTier as ImportanceTier,
        Memory as Memory,
        MemoryKind as MemoryKind,
        MemoryType as MemoryType,
        NewMemory as NewMemory,
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
    from frasier.memory.lists import find_memories as find_memories
    from frasier.memory.surfaced import (
        CalledMemory as CalledMemory,
        Surfaced as Surfaced,
        called_memories as called_memories,
        surfaced_memories as surfaced_memories,
    )
    from frasier.memory.sessions import (
        latest_unfinished_session as latest_unfinished_session,
        resume_latest_session as resume_latest_session,
        save_session as save_session,
    )
else:
    lazy_exports(__name__)

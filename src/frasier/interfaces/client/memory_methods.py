"""The operations of the memory as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from frasier.interfaces.client.typed_calls import ResultPage
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.memory.bulk_save import BulkSaveOutput
    from frasier.interfaces.operations.memory.change import (
        BulkDeleteOutput,
        DeleteOutput,
        ReinstateOutput,
        RevertOutput,
        UnarchiveOutput,
        UpdateOutput,
        VersionsOutput,
    )
    from frasier.interfaces.operations.memory.context import ContextOutput, Mode
    from frasier.interfaces.operations.memory.corrections import (
        CorrectionOutput,
        CorrectionsOutput,
        UndoOutput,
    )
    from frasier.interfaces.operations.memory.graph import (
        DropExtractedOutput,
        EdgeOutput,
        GraphStatsOutput,
        LinkOutput,
        WhyOutput,
    )
    from frasier.interfaces.operations.memory.learning import (
        CiteOutput,
        LearningHistoryOutput,
        OutcomeOutput,
        PromoteOutput,
        ReviewOutput,
        ValidateOutput,
    )
    from frasier.interfaces.operations.memory.maintenance import (
        ConfirmOutput,
        ConsolidateOutput,
        HealthOutput,
        RetryOutput,
        ScanOutput,
        StatsOutput,
    )
    from frasier.interfaces.operations.memory.recall import (
        GetOutput,
        MemoryListOutput,
        SearchOutput,
        TriggersOutput,
    )
    from frasier.interfaces.operations.memory.save import LinkTo, SaveOutput
    from frasier.memory import (
        CorrectionType,
        Detail,
        Direction,
        Grade,
        ImportanceTier,
        Intent,
        MemoryKind,
        MemoryState,
        MemoryType,
        Order,
        Relation,
        WorkOutcome,
    )
    from typing import Any


class MemoryMethods(TypedCalls):
    """The operations of the memory."""

    def memory_context(
        self,
        input: str,
        *,
        mode: Mode | str | None = None,
        intent: Intent | str | None = None,
        scopes: Sequence[str] | None = None,
        session: str | None = None,
        repeat: bool | None = None,
        limit: int | None = None,
        anchors: Sequence[str] | None = None,
        min_similarity: float | None = None,
    ) -> Envelope[ContextOutput]:
        """Call `memory_context`. Start here. Gives what is worth knowing for the task within a token budget;
        resumes a session.
        """
        return self._run("memory_context", "memory.context:ContextOutput", locals())

    def memory_search(
        self,
        *,
        query: str | None = None,
        concepts: Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        limit: int | None = None,
        kinds: Sequence[MemoryKind | str] | None = None,
        intent: Intent | str | None = None,
        session: str | None = None,
        repeat: bool | None = None,
        detail: Detail | str | None = None,
        anchors: Sequence[str] | None = None,
        max_tokens: int | None = None,
        as_of: datetime | None = None,
        occurred_from: datetime | None = None,
        occurred_before: datetime | None = None,
        min_state: MemoryState | str | None = None,
        min_similarity: float | None = None,
        rerank: bool | None = None,
        bypass_cache: bool | None = None,
    ) -> Envelope[SearchOutput]:
        """Call `memory_search`. Find memories by words, meaning, links and triggers, best first, each with why it
        was found.
        """
        return self._run("memory_search", "memory.recall:SearchOutput", locals())

    def memory_get(
        self, id: str, *, anchors: Sequence[str] | None = None, versions: bool | None = None
    ) -> Envelope[GetOutput]:
        """Call `memory_get`. Read one memory whole, which counts as a use, or only some sections of it."""
        return self._run("memory_get", "memory.recall:GetOutput", locals())

    def memory_list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        scopes: Sequence[str] | None = None,
        kinds: Sequence[MemoryKind | str] | None = None,
        tier: ImportanceTier | str | None = None,
        sort_by: Order | str | None = None,
        archived: bool | None = None,
        occurred_from: datetime | None = None,
        occurred_before: datetime | None = None,
        full: bool | None = None,
    ) -> ResultPage[MemoryListOutput]:
        """Call `memory_list`. Go through memories page by page."""
        return self._page("memory_list", "memory.recall:MemoryListOutput", locals())

    def memory_match_triggers(self, prompt: str, *, limit: int | None = None) -> Envelope[TriggersOutput]:
        """Call `memory_match_triggers`. Memories whose trigger phrases stand in the prompt. Fast: call it before
        you answer.
        """
        return self._run("memory_match_triggers", "memory.recall:TriggersOutput", locals())

    def memory_save(
        self,
        *,
        content: str | None = None,
        file_path: str | None = None,
        expected_hash: str | None = None,
        title: str | None = None,
        kind: MemoryKind | str | None = None,
        scope: str | None = None,
        tier: ImportanceTier | str | None = None,
        type: MemoryType | str | None = None,
        importance: int | None = None,
        tags: Sequence[str] | None = None,
        triggers: Sequence[str] | None = None,
        thread: str | None = None,
        speaker: str | None = None,
        occurred_at: datetime | None = None,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        links: Sequence[LinkTo] | None = None,
        force: bool | None = None,
        keep_secrets: bool | None = None,
        dry_run: bool | None = None,
    ) -> Envelope[SaveOutput]:
        """Call `memory_save`. Remember a text or a Markdown file. What resembles it is reinforced, updated or
        linked, and you are told.
        """
        return self._run("memory_save", "memory.save:SaveOutput", locals())

    def memory_bulk_save(
        self, memories: Sequence[Any], *, scope: str | None = None, keep_secrets: bool | None = None
    ) -> Envelope[BulkSaveOutput]:
        """Call `memory_bulk_save`. Save up to 100 memories at once, as memory_save does; a refused one costs no
        other. Also imports an export.
        """
        return self._run("memory_bulk_save", "memory.bulk_save:BulkSaveOutput", locals())

    def memory_update(
        self,
        id: str,
        *,
        content: str | None = None,
        title: str | None = None,
        tags: Sequence[str] | None = None,
        triggers: Sequence[str] | None = None,
        tier: ImportanceTier | str | None = None,
        importance: int | None = None,
        type: MemoryType | str | None = None,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        keep_secrets: bool | None = None,
        reason: str | None = None,
        version: int | None = None,
    ) -> Envelope[UpdateOutput]:
        """Call `memory_update`. Change the given fields of a memory. What it said before is kept as a version."""
        return self._run("memory_update", "memory.change:UpdateOutput", locals())

    def memory_delete(self, id: str, *, keep_checkpoint: bool | None = None) -> Envelope[DeleteOutput]:
        """Call `memory_delete`. Delete a memory, for good unless keep_checkpoint. If it is wrong rather than
        unwanted, use memory_correct.
        """
        return self._run("memory_delete", "memory.change:DeleteOutput", locals())

    def memory_bulk_delete(
        self,
        confirm: bool,
        *,
        tier: ImportanceTier | str | None = None,
        scope: str | None = None,
        older_than_days: float | None = None,
        ids: Sequence[str] | None = None,
        skip_checkpoint: bool | None = None,
    ) -> Envelope[BulkDeleteOutput]:
        """Call `memory_bulk_delete`. Delete every memory for which all that you give holds, after a checkpoint of
        them.
        """
        return self._run("memory_bulk_delete", "memory.change:BulkDeleteOutput", locals())

    def memory_versions(self, id: str) -> Envelope[VersionsOutput]:
        """Call `memory_versions`. What a memory said before, and what saving made of texts like it."""
        return self._run("memory_versions", "memory.change:VersionsOutput", locals())

    def memory_revert(self, id: str, version: int) -> Envelope[RevertOutput]:
        """Call `memory_revert`. Let a memory say again what it said in an earlier version."""
        return self._run("memory_revert", "memory.change:RevertOutput", locals())

    def memory_unarchive(self, id: str) -> Envelope[UnarchiveOutput]:
        """Call `memory_unarchive`. Bring a faded or expired memory back, so that it is recalled again."""
        return self._run("memory_unarchive", "memory.change:UnarchiveOutput", locals())

    def memory_reinstate(self, id: str) -> Envelope[ReinstateOutput]:
        """Call `memory_reinstate`. Bring back a memory that was retired because a newer one was saved that says
        the opposite.
        """
        return self._run("memory_reinstate", "memory.change:ReinstateOutput", locals())

    def memory_why(
        self,
        id: str,
        *,
        depth: int | None = None,
        direction: Direction | str | None = None,
        relations: Sequence[Relation | str] | None = None,
        min_strength: float | None = None,
        limit: int | None = None,
    ) -> Envelope[WhyOutput]:
        """Call `memory_why`. What led to a memory and what came of it, with the evidence along the way."""
        return self._run("memory_why", "memory.graph:WhyOutput", locals())

    def memory_link(
        self,
        source: str,
        relation: Relation | str,
        target: str,
        *,
        strength: float | None = None,
        evidence: str | None = None,
    ) -> Envelope[LinkOutput]:
        """Call `memory_link`. Say how one memory relates to another: what caused, enabled, supports or replaces
        it.
        """
        return self._run("memory_link", "memory.graph:LinkOutput", locals())

    def memory_unlink(self, edge_id: str) -> Envelope[EdgeOutput]:
        """Call `memory_unlink`. Remove one edge between memories."""
        return self._run("memory_unlink", "memory.graph:EdgeOutput", locals())

    def memory_graph_stats(self) -> Envelope[GraphStatsOutput]:
        """Call `memory_graph_stats`. Edges by relation and origin, and the share of memories that are linked."""
        return self._run("memory_graph_stats", "memory.graph:GraphStatsOutput", locals())

    def memory_drop_extracted(self, *, extractor: str | None = None) -> Envelope[DropExtractedOutput]:
        """Call `memory_drop_extracted`. Remove the edges that were read out of texts automatically; what people
        drew stays.
        """
        return self._run("memory_drop_extracted", "memory.graph:DropExtractedOutput", locals())

    def memory_correct(
        self,
        id: str,
        type: CorrectionType | str,
        reason: str,
        *,
        replacement_id: str | None = None,
        replacement: str | None = None,
        replacement_title: str | None = None,
        scope: str | None = None,
        outcome: WorkOutcome | str | None = None,
        pattern: str | None = None,
    ) -> Envelope[CorrectionOutput]:
        """Call `memory_correct`. Say that a memory is wrong and what is right. Kept on record, and can be undone."""
        return self._run("memory_correct", "memory.corrections:CorrectionOutput", locals())

    def memory_correct_undo(self, correction_id: str) -> Envelope[UndoOutput]:
        """Call `memory_correct_undo`. Take a correction back, with all that it did to what it corrected; what was
        given as right stays.
        """
        return self._run("memory_correct_undo", "memory.corrections:UndoOutput", locals())

    def memory_corrections(
        self, *, id: str | None = None, limit: int | None = None, stats: bool | None = None
    ) -> Envelope[CorrectionsOutput]:
        """Call `memory_corrections`. What was corrected, by whom and why."""
        return self._run("memory_corrections", "memory.corrections:CorrectionsOutput", locals())

    def memory_validate(self, id: str, useful: bool) -> Envelope[ValidateOutput]:
        """Call `memory_validate`. Vote on whether a memory was useful, which moves its confidence."""
        return self._run("memory_validate", "memory.learning:ValidateOutput", locals())

    def memory_outcome(self, ids: Sequence[str], outcome: WorkOutcome | str) -> Envelope[OutcomeOutput]:
        """Call `memory_outcome`. Say whether work that used memories was accepted, modified or rejected."""
        return self._run("memory_outcome", "memory.learning:OutcomeOutput", locals())

    def memory_review(
        self, id: str, grade: Grade | str, *, session: str | None = None
    ) -> Envelope[ReviewOutput]:
        """Call `memory_review`. Say how well you remembered with it. Makes it last longer or shorter; counts once
        a day.
        """
        return self._run("memory_review", "memory.learning:ReviewOutput", locals())

    def memory_cite(self, ids: Sequence[str]) -> Envelope[CiteOutput]:
        """Call `memory_cite`. Note that you relied on memories in what you wrote."""
        return self._run("memory_cite", "memory.learning:CiteOutput", locals())

    def memory_promote(self, *, id: str | None = None) -> Envelope[PromoteOutput]:
        """Call `memory_promote`. List memories that have proven themselves; for the founder, make one critical."""
        return self._run("memory_promote", "memory.learning:PromoteOutput", locals())

    def memory_learning_history(
        self, *, session: str | None = None, only_complete: bool | None = None, limit: int | None = None
    ) -> Envelope[LearningHistoryOutput]:
        """Call `memory_learning_history`. The lessons of finished tasks, on average and one by one."""
        return self._run("memory_learning_history", "memory.learning:LearningHistoryOutput", locals())

    def memory_index_scan(
        self, *, folder: str | None = None, scope: str | None = None, force: bool | None = None
    ) -> Envelope[ScanOutput]:
        """Call `memory_index_scan`. Bring the Markdown files of the memory folders and their memories into step."""
        return self._run("memory_index_scan", "memory.maintenance:ScanOutput", locals())

    def memory_confirm(self, *, id: str | None = None, refuse: bool | None = None) -> Envelope[ConfirmOutput]:
        """Call `memory_confirm`. List files that ask to be more than normal; for the founder, confirm or refuse
        one.
        """
        return self._run("memory_confirm", "memory.maintenance:ConfirmOutput", locals())

    def memory_stats(self) -> Envelope[StatsOutput]:
        """Call `memory_stats`. The number of memories by scope, kind, tier and type."""
        return self._run("memory_stats", "memory.maintenance:StatsOutput", locals())

    def memory_health(self) -> Envelope[HealthOutput]:
        """Call `memory_health`. Whether the memory works: encoder, vectors that are owed, store, what is wrong."""
        return self._run("memory_health", "memory.maintenance:HealthOutput", locals())

    def memory_consolidate(self, *, apply: bool | None = None) -> Envelope[ConsolidateOutput]:
        """Call `memory_consolidate`. Draw lasting facts from old episodes and archive what they cover. Only
        tells, unless apply.
        """
        return self._run("memory_consolidate", "memory.maintenance:ConsolidateOutput", locals())

    def memory_retry_embeddings(self, *, scope: str | None = None) -> Envelope[RetryOutput]:
        """Call `memory_retry_embeddings`. Try at once to make the vectors that failed."""
        return self._run("memory_retry_embeddings", "memory.maintenance:RetryOutput", locals())

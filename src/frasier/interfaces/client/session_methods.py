"""The operations of sessions, snapshots and learning as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.memory.learning import TaskLearningOutput
    from frasier.interfaces.operations.memory.sessions import (
        SessionListOutput,
        SessionOutput,
        SessionRecoverOutput,
        SessionSaveOutput,
    )
    from frasier.interfaces.operations.memory.snapshots import (
        CheckpointDeleteOutput,
        CheckpointListOutput,
        CheckpointOutput,
        RestoreOutput,
    )
    from frasier.memory import RestoreMode, SessionStatus
    from typing import Any


class SessionMethods(TypedCalls):
    """The operations of sessions, snapshots and learning."""

    def task_preflight(
        self,
        task: str,
        knowledge: int,
        uncertainty: int,
        context: int,
        *,
        gaps: Sequence[str] | None = None,
        session: str | None = None,
    ) -> Envelope[TaskLearningOutput]:
        """Call `task_preflight`. Record before a task what you know, how unsure you are and how much context you
        have (0 to 100).
        """
        return self._run("task_preflight", "memory.learning:TaskLearningOutput", locals())

    def task_postflight(
        self,
        task: str,
        knowledge: int,
        uncertainty: int,
        context: int,
        *,
        gaps_closed: Sequence[str] | None = None,
        new_gaps: Sequence[str] | None = None,
    ) -> Envelope[TaskLearningOutput]:
        """Call `task_postflight`. Record the same after the task; the answer says what it taught."""
        return self._run("task_postflight", "memory.learning:TaskLearningOutput", locals())

    def session_save(
        self,
        *,
        session: str | None = None,
        task: str | None = None,
        last_action: str | None = None,
        summary: str | None = None,
        pending_work: str | None = None,
        state: Mapping[str, Any] | None = None,
        done: bool | None = None,
        continue_folder: str | None = None,
    ) -> Envelope[SessionSaveOutput]:
        """Call `session_save`. Note where the work stands, so that it can go on after a crash or a lost context."""
        return self._run("session_save", "memory.sessions:SessionSaveOutput", locals())

    def session_recover(
        self, *, session: str | None = None, take_over: bool | None = None, forget_sent: bool | None = None
    ) -> Envelope[SessionRecoverOutput]:
        """Call `session_recover`. Take up a session that was left or interrupted, with all that was noted of it."""
        return self._run("session_recover", "memory.sessions:SessionRecoverOutput", locals())

    def session_get(self, session: str) -> Envelope[SessionOutput]:
        """Call `session_get`. Where the work of one session stands, without taking it up."""
        return self._run("session_get", "memory.sessions:SessionOutput", locals())

    def session_list(
        self, *, status: SessionStatus | str | None = None, limit: int | None = None
    ) -> Envelope[SessionListOutput]:
        """Call `session_list`. Your sessions, those used last first."""
        return self._run("session_list", "memory.sessions:SessionListOutput", locals())

    def checkpoint_create(
        self, name: str, *, scopes: Sequence[str] | None = None
    ) -> Envelope[CheckpointOutput]:
        """Call `checkpoint_create`. Keep all memories as they are now under a name."""
        return self._run("checkpoint_create", "memory.snapshots:CheckpointOutput", locals())

    def checkpoint_list(self, *, limit: int | None = None) -> Envelope[CheckpointListOutput]:
        """Call `checkpoint_list`. The checkpoints that there are, newest first."""
        return self._run("checkpoint_list", "memory.snapshots:CheckpointListOutput", locals())

    def checkpoint_restore(
        self, name: str, *, mode: RestoreMode | str | None = None
    ) -> Envelope[RestoreOutput]:
        """Call `checkpoint_restore`. Put the memories of a checkpoint back, all or nothing."""
        return self._run("checkpoint_restore", "memory.snapshots:RestoreOutput", locals())

    def checkpoint_delete(self, name: str) -> Envelope[CheckpointDeleteOutput]:
        """Call `checkpoint_delete`. Delete a checkpoint; the memories stay."""
        return self._run("checkpoint_delete", "memory.snapshots:CheckpointDeleteOutput", locals())

"""The operations of the boards as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from frasier.interfaces.client.typed_calls import ResultPage
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.tasks.command_runs import CheckOutput, CommandsOutput
    from frasier.interfaces.operations.tasks.decisions import DecisionsOutput
    from frasier.interfaces.operations.tasks.outputs import DecisionOutput, TaskOutput, TaskPlace
    from frasier.interfaces.operations.tasks.read import ProcessOutput, TaskHistoryOutput, TaskListOutput
    from frasier.interfaces.operations.tasks.session import NoteOutput, TaskRecoverOutput, WaitOutput
    from frasier.interfaces.operations.tasks.write import EditOutput
    from typing import Any


class TaskMethods(TypedCalls):
    """The operations of the boards."""

    def task_recover(self, *, board: str | None = None) -> Envelope[TaskRecoverOutput]:
        """Call `task_recover`. Call it first, and whenever you lost your context: who you are, what you hold,
        where you stood, what waits for you, what others changed since. Needs the database alone, so it is
        right whatever else is down.
        """
        return self._run("task_recover", "tasks.session:TaskRecoverOutput", locals())

    def task_wait(self, *, board: str | None = None, timeout_s: float | None = None) -> Envelope[WaitOutput]:
        """Call `task_wait`. Returns as soon as there is something for you to do that your last wait did not tell
        you, at the latest after timeout_s: then with all that there is.
        """
        return self._run("task_wait", "tasks.session:WaitOutput", locals())

    def task_note(self, state: Mapping[str, Any]) -> Envelope[NoteOutput]:
        """Call `task_note`. Your working memory, replaced as a whole; task_recover gives it back after a crash.
        Note often.
        """
        return self._run("task_note", "tasks.session:NoteOutput", locals())

    def task_list(
        self,
        *,
        board: str | None = None,
        status: str | None = None,
        role: str | None = None,
        process: str | None = None,
        mine: bool | None = None,
        over_days: float | None = None,
        limit: int | None = None,
        per_status: int | None = None,
    ) -> ResultPage[TaskListOutput]:
        """Call `task_list`. Tasks of your boards; with mine=true what you should look at now, and why (your turn,
        blocked for you, a lease that ends, work that is written and not moved, a move that the founder
        decides of or has decided).
        """
        return self._page("task_list", "tasks.read:TaskListOutput", locals())

    def task_get(self, task: str, *, board: str | None = None) -> Envelope[TaskOutput]:
        """Call `task_get`. One task whole: its fields, where it is on its way, and every move that there is from
        here with who may make it and what it needs.
        """
        return self._run("task_get", "tasks.outputs:TaskOutput", locals())

    def task_history(
        self, task: str, *, board: str | None = None, limit: int | None = None
    ) -> Envelope[TaskHistoryOutput]:
        """Call `task_history`. The events of a task, oldest first, and whether they lead to where it is now."""
        return self._run("task_history", "tasks.read:TaskHistoryOutput", locals())

    def task_process(self, *, process: str | None = None) -> Envelope[ProcessOutput]:
        """Call `task_process`. The law of a board: statuses, roles, moves with what each needs, fields with who
        fills them, gates.
        """
        return self._run("task_process", "tasks.read:ProcessOutput", locals())

    def task_create(
        self,
        name: str,
        title: str,
        fields: Mapping[str, Any],
        *,
        process: str | None = None,
        board: str | None = None,
        role: str | None = None,
        priority: int | None = None,
        needs: Sequence[str] | None = None,
        about: Sequence[str] | None = None,
    ) -> Envelope[TaskOutput]:
        """Call `task_create`. Puts a task on a board. It must be understandable by itself: description says what
        is wanted and why, acceptance_criteria how one sees that it is done.
        """
        return self._run("task_create", "tasks.outputs:TaskOutput", locals())

    def task_edit(
        self,
        task: str,
        version: int,
        *,
        board: str | None = None,
        fields: Mapping[str, Any] | None = None,
        title: str | None = None,
        priority: int | None = None,
        needs: Sequence[str] | None = None,
        attempt: int | None = None,
    ) -> Envelope[EditOutput]:
        """Call `task_edit`. Fills fields without moving the task, where it is your turn to; whoever may create
        such tasks also changes its title, its priority and what it needs. Refused where it was changed
        since the version you looked at; what it holds already makes no new version. Reviews and approvals
        of what you change are cleared, and have to be given again.
        """
        return self._run("task_edit", "tasks.write:EditOutput", locals())

    def task_claim(
        self,
        task: str,
        *,
        board: str | None = None,
        memory_query_session: str | None = None,
        founder_answer: str | None = None,
    ) -> Envelope[TaskOutput]:
        """Call `task_claim`. Takes a task under a lease, if it is your role's turn. Search the memory for it
        first, in a session.
        """
        return self._run("task_claim", "tasks.outputs:TaskOutput", locals())

    def task_renew(self, task: str, attempt: int, *, board: str | None = None) -> Envelope[TaskPlace]:
        """Call `task_renew`. Keeps a task that you hold: call it while you work, before the lease ends."""
        return self._run("task_renew", "tasks.outputs:TaskPlace", locals())

    def task_deliver(
        self,
        task: str,
        attempt: int,
        *,
        board: str | None = None,
        fields: Mapping[str, Any] | None = None,
        note: str | None = None,
        founder_answer: str | None = None,
    ) -> Envelope[TaskPlace]:
        """Call `task_deliver`. Writes your result and hands the task on to whoever is next, in one."""
        return self._run("task_deliver", "tasks.outputs:TaskPlace", locals())

    def task_move(
        self,
        task: str,
        move: str,
        *,
        board: str | None = None,
        fields: Mapping[str, Any] | None = None,
        attempt: int | None = None,
        note: str | None = None,
        founder_answer: str | None = None,
        version: int | None = None,
    ) -> Envelope[TaskPlace]:
        """Call `task_move`. Makes one move of the process: approve, send back, complete, release, cancel and so
        on. A move that is not allowed is refused with what is missing and who may, and changes nothing.
        """
        return self._run("task_move", "tasks.outputs:TaskPlace", locals())

    def task_block(
        self,
        task: str,
        reason: str,
        owner: str,
        action: str,
        *,
        board: str | None = None,
        attempt: int | None = None,
    ) -> Envelope[TaskPlace]:
        """Call `task_block`. Pauses a task that cannot go on, at its exact place. Say who must do what. Works
        whatever else is down.
        """
        return self._run("task_block", "tasks.outputs:TaskPlace", locals())

    def task_restore(
        self, task: str, *, board: str | None = None, note: str | None = None
    ) -> Envelope[TaskPlace]:
        """Call `task_restore`. Puts a paused task back to exactly where it was; whoever held it goes on under the
        same attempt.
        """
        return self._run("task_restore", "tasks.outputs:TaskPlace", locals())

    def task_check(self, task: str, command: str, *, board: str | None = None) -> Envelope[CheckOutput]:
        """Call `task_check`. Runs a command that the founder declared, counts its tests and records them as
        evidence for the task. May take minutes.
        """
        return self._run("task_check", "tasks.command_runs:CheckOutput", locals())

    def task_commands(self, *, board: str | None = None) -> Envelope[CommandsOutput]:
        """Call `task_commands`. The commands that may be run for tasks of a board, which are switched on, and
        which a move requires.
        """
        return self._run("task_commands", "tasks.command_runs:CommandsOutput", locals())

    def task_decisions(self, *, board: str | None = None) -> Envelope[DecisionsOutput]:
        """Call `task_decisions`. Moves that wait for the founder's decision: the work, its criteria, tests and
        evidence.
        """
        return self._run("task_decisions", "tasks.decisions:DecisionsOutput", locals())

    def task_decide(
        self, decision: str, approve: bool, *, comment: str | None = None
    ) -> Envelope[DecisionOutput]:
        """Call `task_decide`. Approves or rejects one move of one version of one task. Only with the founder's
        own credential, which a host over standard input never has.
        """
        return self._run("task_decide", "tasks.outputs:DecisionOutput", locals())

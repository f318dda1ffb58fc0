"""HTTP client of the task boards: each method calls the tool of its name on a Frasier server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from pydantic import ValidationError

from frasier.interfaces.client.connection import ConnectedClient, ServerConnection
from frasier.interfaces.client.typed_calls import CHECK_TIMEOUT_S
from frasier.interfaces.operations import Envelope
from frasier.kernel.errors import BadReply

_DEFAULT_TIMEOUT_S = 30.0

Fields = Mapping[str, Any]

JsonEnvelope: TypeAlias = Envelope[dict[str, Any]]
"""The envelope of an operation, with its data as JSON."""


class BoardClient(ConnectedClient):
    """A client of the boards of one server, acting as the owner of the token.

    with BoardClient("http://127.0.0.1:8764", token) as board:
        mine = board.recover().data

    Every method returns the envelope of its tool. An error of the server is raised as the same error here: a
    TransitionRefused, a Stale, a LeaseLost. A ProviderError means that no usable response arrived, so it is unknown
    whether the move was made: look at the task before repeating it. Nothing is retried here.
    """

    def __init__(self, url: str, token: str, *, timeout_s: float = _DEFAULT_TIMEOUT_S) -> None:
        self._connection = ServerConnection(url, token, timeout_s=timeout_s, attempts=1)

    def call(self, tool: str, /, *, extra_timeout_s: float = 0.0, **arguments: Any) -> JsonEnvelope:
        """Call any tool of the server, also those of the memory. Arguments that are None are left out.

        `extra_timeout_s` is added to the timeout of the client.
        """
        reply = self._connection.call_tool(tool, arguments, extra_timeout_s=extra_timeout_s)
        try:
            return JsonEnvelope.model_validate(reply)
        except ValidationError:
            raise BadReply(f"The response to {tool} is not an envelope.") from None

    def _call_with(self, tool: str, arguments: Mapping[str, Any]) -> JsonEnvelope:
        """Call a tool with the local variables of a method, which are its arguments."""
        return self.call(tool, **{name: value for name, value in arguments.items() if name != "self"})

    def recover(self, *, board: str | None = None) -> JsonEnvelope:
        """Return who you are, your tasks and notes, the tasks that wait for you, and the changes since."""
        return self.call("task_recover", board=board)

    def wait(self, *, timeout_s: float = 30.0, board: str | None = None) -> JsonEnvelope:
        """Wait until there is something for you to do, for at most `timeout_s`."""
        return self.call("task_wait", extra_timeout_s=timeout_s, timeout_s=timeout_s, board=board)

    def note(self, state: Mapping[str, Any]) -> JsonEnvelope:
        """Replace your working memory, the note that `recover` returns."""
        return self.call("task_note", state=state)

    def list(
        self,
        *,
        board: str | None = None,
        status: str | None = None,
        role: str | None = None,
        process: str | None = None,
        mine: bool = False,
        over_days: float | None = None,
        limit: int = 50,
        per_status: int | None = None,
        after: str | None = None,
    ) -> JsonEnvelope:
        """List the tasks of your boards.

        With `mine`, list those that need your attention, with the reason. With `per_status`, return at most that many
        tasks of each status, and the number of tasks in each column. `after` is `next` of the page before.
        """
        return self._call_with("task_list", locals())

    def get(self, task: str, *, board: str | None = None) -> JsonEnvelope:
        """Return one task with all its fields and every move from its position."""
        return self.call("task_get", task=task, board=board)

    def history(self, task: str, *, board: str | None = None, limit: int = 50) -> JsonEnvelope:
        """Return the events of a task, and whether they lead to its stored position."""
        return self.call("task_history", task=task, board=board, limit=limit)

    def process(self, process: str | None = None) -> JsonEnvelope:
        """Describe a process; without a name, list all."""
        return self.call("task_process", process=process)

    def create(
        self,
        name: str,
        title: str,
        fields: Fields,
        *,
        process: str = "pdsa_task",
        board: str | None = None,
        role: str = "",
        priority: int = 0,
        needs: Sequence[str] = (),
        about: Sequence[str] = (),
    ) -> JsonEnvelope:
        """Create a task on a board."""
        return self._call_with("task_create", locals())

    def edit(
        self,
        task: str,
        fields: Fields | None = None,
        *,
        version: int,
        attempt: int | None = None,
        title: str | None = None,
        priority: int | None = None,
        needs: Sequence[str] | None = None,
        board: str | None = None,
    ) -> JsonEnvelope:
        """Edit a task without moving it; raise Stale if it is no longer at `version`.

        The holder of the task must pass its `attempt`. `needs` names all tasks that it waits for from now on.
        """
        return self.call(
            "task_edit",
            task=task,
            fields=dict(fields or {}),
            version=version,
            attempt=attempt,
            title=title,
            priority=priority,
            needs=None if needs is None else list(needs),
            board=board,
        )

    def claim(
        self,
        task: str,
        *,
        memory_query_session: str = "",
        founder_answer: str = "",
        board: str | None = None,
    ) -> JsonEnvelope:
        """Claim a task; the result has the attempt to pass to every move and edit."""
        return self._call_with("task_claim", locals())

    def renew(self, task: str, *, attempt: int, board: str | None = None) -> JsonEnvelope:
        """Renew the lease of a task that you hold."""
        return self.call("task_renew", task=task, attempt=attempt, board=board)

    def deliver(
        self,
        task: str,
        *,
        attempt: int,
        fields: Fields | None = None,
        note: str = "",
        founder_answer: str = "",
        board: str | None = None,
    ) -> JsonEnvelope:
        """Write your result and hand the task on, in one call."""
        return self._call_with("task_deliver", locals())

    def move(
        self,
        task: str,
        move: str,
        *,
        fields: Fields | None = None,
        attempt: int | None = None,
        version: int | None = None,
        note: str = "",
        founder_answer: str = "",
        board: str | None = None,
    ) -> JsonEnvelope:
        """Make one move of the process, only from `version` if given; raise DecisionNeeded if the founder decides."""
        return self._call_with("task_move", locals())

    def block(
        self,
        task: str,
        *,
        reason: str,
        owner: str,
        action: str,
        attempt: int | None = None,
        board: str | None = None,
    ) -> JsonEnvelope:
        """Block a task at its exact position; `owner` is the role that must act."""
        return self._call_with("task_block", locals())

    def restore(self, task: str, *, note: str = "", board: str | None = None) -> JsonEnvelope:
        """End a block."""
        return self.call("task_restore", task=task, note=note, board=board)

    def check(self, task: str, command: str, *, board: str | None = None) -> JsonEnvelope:
        """Run a declared command. The engine counts its tests and records them as evidence of the task."""
        return self.call(
            "task_check", extra_timeout_s=CHECK_TIMEOUT_S, task=task, command=command, board=board
        )

    def commands(self, *, board: str | None = None) -> JsonEnvelope:
        """List the declared commands of a board, and which are enabled."""
        return self.call("task_commands", board=board)

    def decisions(self, *, board: str | None = None) -> JsonEnvelope:
        """List the decisions that wait for the founder."""
        return self.call("task_decisions", board=board)

    def decide(self, decision: UUID | str, *, approve: bool, comment: str = "") -> JsonEnvelope:
        """Approve or reject a decision, as the founder."""
        return self.call("task_decide", decision=str(decision), approve=approve, comment=comment)

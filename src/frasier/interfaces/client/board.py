"""A client of the task board: each method calls the tool of that name on a server of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias
from uuid import UUID

import httpx2
from pydantic import ValidationError

from frasier.interfaces.client.error_from_response import rebuilt
from frasier.interfaces.operations import Envelope
from frasier.kernel.errors import BadReply, ProviderTimeout, ProviderUnavailable

_ANSWER_S = 30.0
_CHECK_S = 3_600.0  # the server has a limit of its own for each command

Fields = Mapping[str, Any]

JsonEnvelope: TypeAlias = Envelope[dict[str, Any]]
"""The envelope of an operation, with its data as JSON."""


class BoardClient:
    """Works on the boards of a server as whoever the token says.

    with BoardClient("http://127.0.0.1:8764", token) as board:
        mine = board.recover().data

    Every method returns the tool's envelope. What the server refuses is raised as the error that it is: a
    TransitionRefused, a Stale, a LeaseLost. A ProviderError says that no answer came, and then nobody knows whether
    the move was made: look at the task before you make it again. Nothing is tried twice here.
    """

    def __init__(self, url: str, token: str, *, timeout_s: float = _ANSWER_S) -> None:
        self._timeout_s = timeout_s
        # No proxy and no netrc of the environment is used, as either would see or replace the token.
        self._client = httpx2.Client(
            base_url=f"{url.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout_s,
            trust_env=False,
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._client.close()

    def call(self, tool: str, /, *, patience_s: float = 0.0, **arguments: Any) -> JsonEnvelope:
        """Calls any tool of the server, the memory's as well. What is None is left out.

        `patience_s` is how much longer than usual the answer may take.
        """
        body = {name: _plain(value) for name, value in arguments.items() if value is not None}
        try:
            response = self._client.post(f"tools/{tool}", json=body, timeout=self._timeout_s + patience_s)
            reply = response.json()
        except httpx2.TimeoutException:
            raise ProviderTimeout(
                f"The server did not answer {tool} in time.", hint="Look whether it was done."
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ProviderUnavailable(f"The server cannot be reached: {error}.") from None
        except ValueError:
            raise BadReply(f"The server answered {tool} with something that is no JSON.") from None
        if response.status_code != httpx2.codes.OK:
            raise rebuilt(response.status_code, reply)
        try:
            return JsonEnvelope.model_validate(reply)
        except ValidationError:
            raise BadReply(f"The server answered {tool} with something that is no envelope.") from None

    def recover(self, *, board: str | None = None) -> JsonEnvelope:
        """Tell who you are, what you hold, where you stood, what waits for you, and what changed since."""
        return self.call("task_recover", board=board)

    def wait(self, *, timeout_s: float = 30.0, board: str | None = None) -> JsonEnvelope:
        """Returns as soon as there is something for you to do, at the latest after `timeout_s`."""
        return self.call("task_wait", patience_s=timeout_s, timeout_s=timeout_s, board=board)

    def note(self, state: Mapping[str, Any]) -> JsonEnvelope:
        """Note where you stand, replacing what you noted before; `recover` returns it."""
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
    ) -> JsonEnvelope:
        """Tasks of your boards; with `mine` what you should look at, and why; with `per_status` at most so many of each
        status, and how many there are in each column.
        """
        return self.call(
            "task_list",
            board=board,
            status=status,
            role=role,
            process=process,
            mine=mine,
            over_days=over_days,
            limit=limit,
            per_status=per_status,
        )

    def get(self, task: str, *, board: str | None = None) -> JsonEnvelope:
        """One task whole, with every move that there is from where it is."""
        return self.call("task_get", task=task, board=board)

    def history(self, task: str, *, board: str | None = None, limit: int = 50) -> JsonEnvelope:
        """Return the events of a task, and whether they lead to where it is."""
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
        """Puts a task on a board."""
        return self.call(
            "task_create",
            name=name,
            title=title,
            fields=fields,
            process=process,
            board=board,
            role=role,
            priority=priority,
            needs=needs,
            about=about,
        )

    def edit(
        self,
        task: str,
        fields: Fields,
        *,
        version: int,
        attempt: int | None = None,
        board: str | None = None,
    ) -> JsonEnvelope:
        """Fills fields without moving the task; Stale where it is not at `version` any more. Whoever holds it names
        the `attempt`.
        """
        return self.call("task_edit", task=task, fields=fields, version=version, attempt=attempt, board=board)

    def claim(
        self,
        task: str,
        *,
        memory_query_session: str = "",
        founder_answer: str = "",
        board: str | None = None,
    ) -> JsonEnvelope:
        """Takes a task; the answer has the attempt to name in every move and edit."""
        return self.call(
            "task_claim",
            task=task,
            memory_query_session=memory_query_session,
            founder_answer=founder_answer,
            board=board,
        )

    def renew(self, task: str, *, attempt: int, board: str | None = None) -> JsonEnvelope:
        """Keeps a task that you hold."""
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
        """Writes your result and hands the task on, in one."""
        return self.call(
            "task_deliver",
            task=task,
            attempt=attempt,
            fields=fields,
            note=note,
            founder_answer=founder_answer,
            board=board,
        )

    def move(
        self,
        task: str,
        move: str,
        *,
        fields: Fields | None = None,
        attempt: int | None = None,
        note: str = "",
        founder_answer: str = "",
        board: str | None = None,
    ) -> JsonEnvelope:
        """Makes one move of the process; DecisionNeeded where the founder has to decide first."""
        return self.call(
            "task_move",
            task=task,
            move=move,
            fields=fields,
            attempt=attempt,
            note=note,
            founder_answer=founder_answer,
            board=board,
        )

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
        """Pauses a task at its exact place; `owner` is the role that must act."""
        return self.call(
            "task_block",
            task=task,
            reason=reason,
            owner=owner,
            action=action,
            attempt=attempt,
            board=board,
        )

    def restore(self, task: str, *, note: str = "", board: str | None = None) -> JsonEnvelope:
        """Ends a pause."""
        return self.call("task_restore", task=task, note=note, board=board)

    def check(self, task: str, command: str, *, board: str | None = None) -> JsonEnvelope:
        """Runs a declared command; its tests are counted by the engine, and are the task's evidence."""
        return self.call("task_check", patience_s=_CHECK_S, task=task, command=command, board=board)

    def commands(self, *, board: str | None = None) -> JsonEnvelope:
        """The commands that may be run for tasks, and which are switched on."""
        return self.call("task_commands", board=board)

    def decisions(self, *, board: str | None = None) -> JsonEnvelope:
        """List what waits for the founder's decision."""
        return self.call("task_decisions", board=board)

    def decide(self, decision: UUID | str, *, approve: bool, comment: str = "") -> JsonEnvelope:
        """Decides, as the founder."""
        return self.call("task_decide", decision=str(decision), approve=approve, comment=comment)


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value

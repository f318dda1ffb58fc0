"""The Python client of a Frasier server: missions, boards and memory, with typed answers."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frasier.interfaces.client.connection import ServerConnection
from frasier.interfaces.client.memory_methods import MemoryMethods
from frasier.interfaces.client.organisation_methods import OrganisationMethods
from frasier.interfaces.client.people_methods import PeopleMethods
from frasier.interfaces.client.session_methods import SessionMethods
from frasier.interfaces.client.task_methods import TaskMethods

if TYPE_CHECKING:
    from frasier.interfaces.client.board import BoardClient

_DEFAULT_TIMEOUT_S = 30.0


class FrasierClient(OrganisationMethods, PeopleMethods, TaskMethods, MemoryMethods, SessionMethods):
    """A client of one server, acting as the owner of the token.

    with FrasierClient("http://127.0.0.1:8764", token) as frasier:
        for mission in frasier.mission_list(limit=5).data.missions:
            print(mission.title, mission.status)

    Each operation is a method, which returns its envelope with typed data; a list is a ResultPage, and `pages` goes
    on from it. What the server refuses is raised as the same error here, with its code, facts and advice: a Stale, a
    NotFound. Writes carry an idempotency key, so a lost answer is asked for again without doing anything twice; an
    OutcomeUnknown or a ProviderError after that means: read back what was to be changed.
    """

    def __init__(self, url: str, token: str, *, timeout_s: float = _DEFAULT_TIMEOUT_S) -> None:
        self._url = url
        self._token = token
        self._connection = ServerConnection(url, token, timeout_s=timeout_s)

    @cached_property
    def board(self) -> BoardClient:
        """The boards in the words of those who work on them."""
        from frasier.interfaces.client.board import BoardClient  # noqa: PLC0415

        return BoardClient(self._url, self._token, timeout_s=self._connection.timeout_s)

    def upload(self, path: Path | str) -> str:
        """Upload a document for a mission; return the id to start it with."""
        path = Path(path)
        response = self._connection.send(
            "POST",
            "/api/v1/uploads",
            operation="the upload",
            params={"name": path.name},
            content=path.read_bytes(),
        )
        body: dict[str, Any] = response.json()
        return str(body["id"])

    def close(self) -> None:
        """Close the connection."""
        super().close()
        if "board" in self.__dict__:
            self.board.close()

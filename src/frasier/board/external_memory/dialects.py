"""Requests to an external memory and readers of its replies, for each of the two APIs that it may have.

A reply is read strictly: what is not exactly what the API promises is a BadReply, never a success.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

from frasier.board.external_memory.endpoint import API
from frasier.board.external_memory.failures import not_stored, unwell
from frasier.board.external_memory.protocol import Contribution
from frasier.board.external_memory.settings import DialectName
from frasier.outbound import ServiceErrors

HEALTH_PATH = f"{API}/health"

_LABEL_CHARS = 100

StoredId = Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]
OneOrNone = Annotated[int, Field(strict=True, ge=0, le=1)]


class MemoryDialect(Protocol):
    """The wire format of one API. The readers get the body of a 2xx and raise a ProviderError."""

    @property
    def contribute_path(self) -> str: ...

    def read_health(self, errors: ServiceErrors, body: bytes) -> None: ...

    def body_of(self, contribution: Contribution) -> dict[str, Any]: ...

    def read_id(self, errors: ServiceErrors, body: bytes, contribution: Contribution) -> str: ...


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _FrasierHealth(_Wire):
    status: Literal["ok", "degraded", "down"]


class _FrasierContributed(_Wire):
    id: UUID
    action: str
    repeated: StrictBool


class FrasierDialect:
    """Our own API: the key makes a contribution one memory, and its id is returned each time it is sent.

    It goes as a marker, which is never merged with one that resembles it. A degraded service searches with less, and
    takes contributions as ever.
    """

    contribute_path = f"{API}/contribute"

    def read_health(self, errors: ServiceErrors, body: bytes) -> None:
        status = _read(_FrasierHealth, errors, body).status
        if status == "down":
            raise unwell(errors, status)

    def body_of(self, contribution: Contribution) -> dict[str, Any]:
        speaker = contribution.agent_name or contribution.agent_id
        labels = (contribution.agent_id, contribution.topic)
        return {
            "content": contribution.text,
            "kind": "marker",
            "title": contribution.context,
            "tags": [label[:_LABEL_CHARS] for label in labels if label],
            "speaker": speaker[:_LABEL_CHARS] or None,
        }

    def read_id(self, errors: ServiceErrors, body: bytes, contribution: Contribution) -> str:  # noqa: ARG002
        return str(_read(_FrasierContributed, errors, body).id)


class _SeedHealth(_Wire):
    status: Literal["ok", "error"]


class _SeedContributed(_Wire):
    id: StoredId


class _SeedTrace(_Wire):
    thoughts_contributed: OneOrNone


class _SeedReply(_Wire):
    """An id may stand under `contributed`, as our own twin of this endpoint answers it, or beside it."""

    trace: _SeedTrace | None = None
    contributed: _SeedContributed | None = None
    id: StoredId | None = None


class SeedDialect:
    """The API of the original service, where one endpoint answers and stores, and tells only by a count which.

    It returns no id of what it stored (the sources are search hits, and the first of them is somebody else's thought).
    The idempotency key is recorded instead: it proves what was sent, and finds nothing there. The original knows no
    keys either, so a contribution whose reply was lost is stored twice by the repeat.
    """

    contribute_path = f"{API}/memory"

    def read_health(self, errors: ServiceErrors, body: bytes) -> None:
        status = _read(_SeedHealth, errors, body).status
        if status != "ok":
            raise unwell(errors, status)

    def body_of(self, contribution: Contribution) -> dict[str, Any]:
        body = {
            "prompt": contribution.text,
            "agent_id": contribution.agent_id,
            "agent_name": contribution.agent_name,
            "context": contribution.context,
            "thought_category": "transition_marker",
        }
        return body | ({"topic": contribution.topic} if contribution.topic else {})

    def read_id(self, errors: ServiceErrors, body: bytes, contribution: Contribution) -> str:
        reply = _read(_SeedReply, errors, body)
        if reply.contributed is not None:
            return reply.contributed.id
        count = reply.trace.thoughts_contributed if reply.trace else None
        if count == 0:
            raise not_stored(errors)
        if reply.id is not None:
            return reply.id
        if count is None:
            raise errors.bad_reply("something that does not say whether it was stored")
        return contribution.idempotency_key


def dialect_of(name: DialectName) -> MemoryDialect:
    """Return the dialect of that name."""
    return SeedDialect() if name == "seed" else FrasierDialect()


_Model = TypeVar("_Model", bound=_Wire)


def _read(model: type[_Model], errors: ServiceErrors, body: bytes) -> _Model:
    try:
        return model.model_validate_json(body)
    except ValidationError:
        raise errors.bad_reply("something that its dialect does not promise") from None

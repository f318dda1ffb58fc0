"""Uploads: files that are sent as they are or in a form, and wait for a mission until it has started with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frasier.interfaces.http.body_parsing import read_bytes
from frasier.interfaces.http.form_files import FORM_FILES_MAX, form_files, is_form
from frasier.interfaces.http.served_api import ServedApi
from frasier.interfaces.operations import as_json
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.humanize import person
from frasier.memory import Caller, MemoryEngine
from frasier.store import Tx
from frasier.work import UPLOAD_BYTES_MAX, Upload, add_upload, delete_uploads, uploads_of, write_uploads


class UploadEndpoints:
    """The endpoints of the founder's uploads."""

    def __init__(self, api: ServedApi) -> None:
        self._api = api
        self._engine = api.engine

    async def collection(self, request: Request) -> Response:
        """Store the body as a file under its `name`, or the files of a form (201), or list the files that wait."""
        caller = await self._founder(request)
        if request.method == "POST":
            if caller.read_only:
                raise NotAllowed(
                    f"{person(caller.name)} may only read, and so cannot upload documents.",
                    kept="Nothing was stored.",
                    hint="The founder makes tokens; one for reading alone changes nothing.",
                )
            stored = await (self._store_form if is_form(request) else self._store_body)(request, caller)
            return JSONResponse(as_json(stored), status_code=201)
        waiting = await self._engine.in_transaction(uploads_of, caller.name)
        return JSONResponse({"uploads": as_json(waiting)})

    async def _store_body(self, request: Request, caller: Caller) -> Upload:
        """Store the body as a file under the `name` of the query."""
        name = _name(request)
        content = await read_bytes(request, self._api.rules, bytes_max=UPLOAD_BYTES_MAX)
        return await self._engine.in_transaction(add_upload, caller.name, name, content)

    async def _store_form(self, request: Request, caller: Caller) -> Mapping[str, Sequence[Upload]]:
        """Store the files of a form under their own names: all of them, or none."""
        if request.query_params:
            raise InvalidInput(
                "The files of a form have names of their own.",
                number="E030",
                kept="Nothing was stored.",
                hint="Send it without a query.",
            )

        async def store(tx: Tx) -> Mapping[str, Sequence[Upload]]:
            return {
                "uploads": [
                    await add_upload(tx, caller.name, file.filename or "", await file.read())
                    for file in files
                ]
            }

        async with form_files(request, self._api.rules, file_bytes_max=UPLOAD_BYTES_MAX) as files:
            return await self._engine.in_transaction(store)

    async def delete(self, request: Request) -> Response:
        """Delete a file that waits."""
        caller = await self._founder(request)
        upload = request.path_params["upload"]
        if not await self._engine.in_transaction(delete_uploads, caller.name, [_upload_id(upload)]):
            raise _unknown(upload)
        return Response(status_code=204)

    async def _founder(self, request: Request) -> Caller:
        caller = await self._api.caller_of(request)
        caller.require_founder("upload documents")
        return caller


class UsedUploads:
    """The uploads that one request uses: deleted once it succeeded."""

    def __init__(self, engine: MemoryEngine, caller: Caller) -> None:
        self._engine = engine
        self._caller = caller.name
        self._used: list[UUID] = []

    async def write(self, ids: Sequence[UUID], folder: Path) -> Sequence[Path]:
        """Write the files of uploads into a folder; raise NotFound for one that does not wait."""
        paths = await self._engine.in_transaction(write_uploads, self._caller, ids, folder)
        self._used += ids
        return paths

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._used and error is None:
            await self._engine.in_transaction(delete_uploads, self._caller, self._used)


def _name(request: Request) -> str:
    names = request.query_params.getlist("name")
    if len(names) != 1 or len(request.query_params) != 1:
        raise InvalidInput(
            "The file has no name.",
            number="E031",
            kept="Nothing was stored.",
            hint="Give it in the query: POST /api/v1/uploads?name=offer.pdf with the content as the body.",
        )
    return names[0]


def _upload_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise _unknown(text) from None


def _unknown(text: str) -> NotFound:
    return NotFound(
        f"There is no upload {text[:60]}.",
        kept="Nothing was changed.",
        hint="GET /api/v1/uploads lists those that wait.",
    )


def upload_paths(problems: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI description of the endpoints; `problems` are the responses that each may have."""
    tagged: dict[str, Any] = {"tags": ["uploads"]}
    upload = {"$ref": "#/components/schemas/Upload"}
    listed = {
        "type": "object",
        "required": ["uploads"],
        "properties": {"uploads": {"type": "array", "items": upload}},
    }
    name = {
        "name": "name",
        "in": "query",
        "required": False,
        "description": "What the document is cited by, such as offer.pdf; the files of a form have their own names",
        "schema": {"type": "string", "minLength": 1},
    }
    upload_id = {
        "name": "upload",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "format": "uuid"},
    }
    return {
        "/api/v1/uploads": {
            "get": tagged
            | {
                "operationId": "upload_list",
                "summary": "List uploads",
                "description": "Your files that wait for a mission.",
                "responses": {"200": _success("The files.", listed)} | problems,
            },
            "post": tagged
            | {
                "operationId": "upload_create",
                "summary": "Upload a document",
                "description": "Send a file as the body, or up to"
                f" {FORM_FILES_MAX} in a form, for a mission that you start within a day.",
                "parameters": [name],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                        "multipart/form-data": {"schema": _FORM},
                    },
                },
                "responses": {"201": _success("The file waits.", {"oneOf": [upload, listed]})} | problems,
            },
        },
        "/api/v1/uploads/{upload}": {
            "delete": tagged
            | {
                "operationId": "upload_delete",
                "summary": "Delete an upload",
                "parameters": [upload_id],
                "responses": {"204": {"description": "It is gone."}} | problems,
            }
        },
    }


_FORM: dict[str, Any] = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": "string", "contentMediaType": "application/octet-stream"},
}

UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["id", "name", "bytes", "sha256", "created_at", "expires_at"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "name": {"type": "string"},
        "bytes": {"type": "integer"},
        "sha256": {"type": "string"},
        "created_at": {"type": "string", "format": "date-time"},
        "expires_at": {"type": "string", "format": "date-time"},
    },
}
"""The schema of an upload."""


def _success(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": schema}}}

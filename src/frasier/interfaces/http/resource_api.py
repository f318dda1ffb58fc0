"""The endpoint of all resources: from a request to the operation of its resource and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frasier.interfaces.http.auth import bearer_token
from frasier.interfaces.http.body_parsing import read_object
from frasier.interfaces.http.cursors import make_cursor, place_of_cursor
from frasier.interfaces.http.entity_tags import changed_meanwhile, entity_tag, matches, required_version
from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.http.preconditions import if_match
from frasier.interfaces.http.query_arguments import query_arguments
from frasier.interfaces.http.resource_router import ResourceMatch, ResourceRouter
from frasier.interfaces.http.served_api import ServedApi
from frasier.interfaces.http.uploads import UsedUploads
from frasier.interfaces.operations import (
    AnyOperation,
    OperationContext,
    OperationInput,
    as_json,
    run_operation,
)
from frasier.interfaces.resources import PLACES, RESOURCES, Resource
from frasier.kernel.errors import InvalidInput, Stale
from frasier.store import IdempotentRequest, Precondition, StoredAnswer, on_condition, run_once

_KEY_CHARS_MAX = 200

_SCOPES = frozenset({"board"})
"""The inputs within which the name of an item in a path is meant."""


class ResourceApi:
    """The resources of the operations that are served."""

    def __init__(self, api: ServedApi, operations: Mapping[str, AnyOperation]) -> None:
        self._api = api
        self._operations = operations
        self.resources = tuple(one for one in RESOURCES if one.operation in operations)
        self._router = ResourceRouter(self.resources)

    async def answer(self, request: Request) -> Response:
        """Run the operation of a resource: 404 or 405 for none, else its answer, with what the headers ask for."""
        match = self._match(request)
        resource = match.resources["GET" if request.method == "HEAD" else request.method]
        caller = await self._api.caller_of(request)
        arguments = await self._arguments(request, resource, match)
        async with UsedUploads(self._api.engine, caller) as uploads:
            context = self._api.context_of(caller, counts_tokens=False, write_uploads=uploads.write)
            if self._operations[resource.operation].read_only:
                return await self._read(request, resource, context, arguments)
            return await self._write(request, resource, match, context, arguments)

    async def document(self, _request: Request) -> Response:
        """Return the OpenAPI document of what is served; it holds nothing that a token would protect."""
        return Response(self._document, media_type="application/json")

    @cached_property
    def _document(self) -> bytes:
        return json.dumps(openapi_document(self.resources, self._operations), ensure_ascii=False).encode()

    def _match(self, request: Request) -> ResourceMatch:
        """Return the resources at the path; raise HTTPException if the method or the path is none."""
        match = self._router.find(request.scope["raw_path"])
        if match is None:
            raise HTTPException(404)
        if request.method not in match.resources and not (
            request.method == "HEAD" and "GET" in match.resources
        ):
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(match.resources))})
        return match

    async def _arguments(self, request: Request, resource: Resource, match: ResourceMatch) -> dict[str, Any]:
        """Join the inputs of path, query and body; raise InvalidInput for one that is sent in the wrong place."""
        model = self._operations[resource.operation].input
        in_path = dict(zip(resource.path_inputs, match.path_inputs, strict=True))
        query = list(request.query_params.multi_items())
        if resource.has_body:
            if query:
                raise _misplaced("A request with a body takes no query.", "Send the inputs in the body.")
            arguments = await self._body(request)
        else:
            arguments = query_arguments(query, model)
            arguments = _read_cursor(resource, arguments, in_path, place_input(model))
        if twice := sorted(in_path.keys() & arguments.keys()):
            raise _misplaced(f"{', '.join(twice)} is in the path already.", "Send it there only.")
        return arguments | in_path

    async def _body(self, request: Request) -> dict[str, Any]:
        """Return the JSON object of the body; nothing is an empty one."""
        length = request.headers.get("content-length", "")
        if length in {"", "0"} and "transfer-encoding" not in request.headers:
            return {}
        return await read_object(request, self._api.rules)

    async def _read(
        self, request: Request, resource: Resource, context: OperationContext, arguments: Mapping[str, Any]
    ) -> Response:
        """Answer a request that reads: 304 if the client has the version that there is."""
        answer = await self._run(resource, context, arguments)
        headers = {}
        data = answer.body["data"]
        # Over HTTP a page goes on by the link, so the place itself is not a second `next`.
        if place := data.pop("next", None):
            link = _next_link(resource, arguments, str(place))
            answer.body["next"] = link
            headers["Link"] = f'<{link}>; rel="next"'
        if (tag := entity_tag(resource, data)) is not None:
            headers["ETag"] = tag
            known = request.headers.getlist("if-none-match")
            if known and matches(known, tag):
                return Response(status_code=304, headers=headers)
        return _response(answer, headers)

    async def _write(
        self,
        request: Request,
        resource: Resource,
        match: ResourceMatch,
        context: OperationContext,
        arguments: dict[str, Any],
    ) -> Response:
        """Carry out a request that changes something; raise HttpRefusal (412) where If-Match does not hold."""
        if not (condition := request.headers.getlist("if-match")):
            return _response(await self._run_keyed(request, resource, context, arguments))
        fields = self._operations[resource.operation].input.model_fields
        try:
            if "version" in fields and resource.method in {"PATCH", "PUT"}:
                version = required_version(condition)
                if version is not None and arguments.setdefault("version", version) != version:
                    raise changed_meanwhile()
                return _response(await self._run_keyed(request, resource, context, arguments))
            held = self._precondition(condition, resource, match, context, arguments)
            return _response(await self._run_keyed(request, resource, context, arguments, held))
        except Stale as error:
            raise HttpRefusal(412, error) from None

    def _precondition(
        self,
        condition: Sequence[str],
        resource: Resource,
        match: ResourceMatch,
        context: OperationContext,
        arguments: Mapping[str, Any],
    ) -> Precondition:
        """Return If-Match as a condition on the resource that the path begins with; raise InvalidInput for none."""
        item = self._item_of(resource)
        if item is None:
            raise _misplaced("If-Match applies to no version here.", "Send the request without it.")
        operation = self._operations[item.operation]
        given = dict(zip(item.path_inputs, match.path_inputs, strict=False))
        return if_match(condition, item, operation, context, given | _scope(arguments, operation))

    def _item_of(self, resource: Resource) -> Resource | None:
        """The resource with an entity tag that the path of this one begins with."""
        if not resource.changes_item:
            return None
        for end in range(len(resource.segments), 0, -1):
            for one in self.resources:
                if one.etag and one.segments == resource.segments[:end]:
                    return one
        return None

    async def _run(
        self, resource: Resource, context: OperationContext, arguments: Mapping[str, Any]
    ) -> StoredAnswer:
        envelope = await run_operation(self._operations[resource.operation], context, arguments)
        return StoredAnswer(status=resource.status, body=as_json(envelope))

    async def _run_keyed(
        self,
        request: Request,
        resource: Resource,
        context: OperationContext,
        arguments: Mapping[str, Any],
        condition: Precondition | None = None,
    ) -> StoredAnswer:
        """Run the operation, once under the key of the request, while the condition holds."""

        async def run() -> StoredAnswer:
            with on_condition(condition) if condition else nullcontext():
                return await self._run(resource, context, arguments)

        if (key := _idempotency_key(request)) is None:
            return await run()
        # The name of a revoked token may be given again, to somebody who may not read the first holder's answers.
        holder = hashlib.sha256((bearer_token(request) or "").encode()).hexdigest()
        asked = json.dumps([resource.operation, arguments, holder], sort_keys=True, ensure_ascii=False)
        keyed = IdempotentRequest(
            caller=context.caller.name, key=key, digest=hashlib.sha256(asked.encode()).digest()
        )
        return await run_once(self._api.engine.in_transaction, keyed, run, keeps_body=resource.keeps_key)


def _read_cursor(
    resource: Resource, arguments: dict[str, Any], in_path: Mapping[str, Any], place: str | None
) -> dict[str, Any]:
    """Replace a cursor by the place that it stands for."""
    if place in arguments:
        raise _misplaced(f"{place} is no parameter of the query.", "Follow the link `next` of a page.")
    if place is None or "cursor" not in arguments:
        return arguments
    cursor = arguments.pop("cursor")
    return arguments | {place: place_of_cursor(cursor, resource.operation, {**arguments, **in_path})}


def place_input(model: type[OperationInput]) -> str | None:
    """Return the input of an operation that says where a page begins, if it has one."""
    return next(iter(PLACES & model.model_fields.keys()), None)


def _next_link(resource: Resource, arguments: Mapping[str, Any], place: str) -> str:
    """The address of the next page: the same query with another cursor."""
    query = {name: value for name, value in arguments.items() if name not in PLACES}
    path = resource.path.format_map({name: query.pop(name) for name in resource.path_inputs})
    query["cursor"] = make_cursor(resource.operation, query, place)
    sent = {name: _as_text(value) for name, value in query.items()}
    return f"{path}?{urlencode(sent, doseq=True)}"


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_text(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else value


def _scope(arguments: Mapping[str, Any], operation: AnyOperation) -> dict[str, Any]:
    """The arguments that say where an item is; others of the same name, such as a version, mean something else."""
    names = _SCOPES & arguments.keys() & operation.input.model_fields.keys()
    return {name: arguments[name] for name in names}


def _idempotency_key(request: Request) -> str | None:
    """Return the key of a request; raise InvalidInput for one that is no single short text."""
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return None
    key = keys[0].strip()
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if len(keys) > 1 or not 1 <= len(key) <= _KEY_CHARS_MAX or not (key.isascii() and key.isprintable()):
        raise _misplaced(
            "The header Idempotency-Key is not one key.",
            f"Send one of 1 to {_KEY_CHARS_MAX} visible characters, such as a UUID.",
        )
    return key


def _misplaced(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, number="E030", kept="Nothing was read or changed.", hint=hint)


def _response(answer: StoredAnswer, headers: Mapping[str, str] | None = None) -> Response:
    sent = dict(headers or {})
    if answer.repeated:
        sent["Idempotency-Replayed"] = "true"
    if answer.body is None:
        return Response(status_code=204, headers=sent)
    return JSONResponse(answer.body, status_code=answer.status, headers=sent)

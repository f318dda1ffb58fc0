"""The OpenAPI 3.1 document of the resources, made from their table and the models of the operations. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from frasier.interfaces.http.event_stream import stream_path
from frasier.interfaces.http.problems import PROBLEM_JSON
from frasier.interfaces.http.uploads import UPLOAD_SCHEMA, upload_paths
from frasier.interfaces.operations import AnyOperation
from frasier.interfaces.operations.operation import Meta
from frasier.interfaces.resources import PLACES, Resource

_REF_PREFIX = "#/components/schemas/"
_REF = f"{_REF_PREFIX}{{model}}"

_ERRORS: Mapping[str, str] = {
    "400": "The request is malformed.",
    "401": "The token is missing or not valid.",
    "403": "The token does not allow this, or the Host or Origin is foreign.",
    "404": "There is no such thing.",
    "409": "The state of the thing, or another request, does not allow this now.",
    "422": "An input is wrong.",
    "429": "Too many requests, or the same again too soon.",
    "500": "A defect of the server.",
    "502": "An outside service returned something unusable.",
    "503": "The database or an outside service does not answer.",
    "504": "An outside service did not answer in time.",
}
_BODY_ERRORS: Mapping[str, str] = {
    "408": "The body did not arrive in time.",
    "413": "The body is too large.",
    "415": "The body is not JSON in UTF-8.",
}
_CONDITION_ERROR = {"412": "It was changed since the version that If-Match names."}

_PROBLEM: Mapping[str, Any] = {
    "type": "object",
    "description": "Problem details (RFC 9457). `code` is stable, `detail` is a sentence for a person.",
    "required": ["type", "title", "status", "detail", "instance", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "urn:frasier:problem: and the code"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened"},
        "instance": {"type": "string", "description": "The request, by the id that the server's log has"},
        "code": {"type": "string"},
        "number": {"type": "string", "description": "The exact rule, where several share a code"},
        "kept": {"type": "string", "description": "What was preserved"},
        "hint": {"type": "string", "description": "What to do next"},
        "advice": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "action": {"type": "string"},
                    "to": {"type": "string"},
                    "arguments": {"type": "object"},
                },
            },
        },
        "facts": {"type": "object"},
    },
}
_HEADERS: Mapping[str, tuple[str, str]] = {
    "X-Request-Id": ("The id of the request, yours if you sent one.", "string"),
    "RateLimit": ("What is left to the token, and in how many seconds all of it is back.", "string"),
    "RateLimit-Policy": ("How many requests a token has in a minute.", "string"),
    "ETag": ("The version, for If-None-Match and If-Match.", "string"),
    "Link": ("The next page, rel=next.", "string"),
    "Idempotency-Replayed": (
        "true where the answer is the one of an earlier request with the key.",
        "string",
    ),
    "Retry-After": ("Seconds to wait.", "integer"),
}
_ALWAYS = ("X-Request-Id", "RateLimit", "RateLimit-Policy")
_PARAMETERS: Mapping[str, str] = {
    "Idempotency-Key": "A key of yours: the same request with it is carried out once in 24 hours, and answered again.",
    "If-None-Match": "The ETag that you have: 304 where nothing has changed.",
    "If-Match": "The ETag of what you read: 412 where it was changed since.",
}


def openapi_document(resources: Sequence[Resource], operations: Mapping[str, AnyOperation]) -> dict[str, Any]:
    """Return the document of the resources, whose operations are in `operations`."""
    served = [(one, operations[one.operation]) for one in resources]
    schemas = _Schemas(operation for _, operation in served)
    paths: dict[str, dict[str, Any]] = {}
    for resource, operation in served:
        paths.setdefault(resource.path, {})[resource.method.lower()] = _operation(
            resource, operation, schemas, _takes_condition(resource, resources)
        )
    problems = {
        status: {"$ref": f"#/components/responses/Problem{status}"} for status in (*_ERRORS, *_BODY_ERRORS)
    }
    paths |= upload_paths(problems)
    if "event_list" in operations:
        paths["/api/v1/events/stream"] = {
            "get": stream_path(
                {status: one for status, one in problems.items() if status not in _BODY_ERRORS}
            )
        }
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Frasier",
            "version": "1",
            "description": "Missions, boards and memory. Every answer of success is an envelope of summary, data,"
            " hints and meta; every error is problem details.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "`frasier serve`"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas.components | {"Problem": dict(_PROBLEM), "Upload": UPLOAD_SCHEMA},
            "headers": {
                name: {"description": text, "schema": {"type": kind}}
                for name, (text, kind) in _HEADERS.items()
            },
            "parameters": {
                name: {"name": name, "in": "header", "description": text, "schema": {"type": "string"}}
                for name, text in _PARAMETERS.items()
            },
            "responses": {
                f"Problem{status}": _problem_response(status, text)
                for status, text in {**_ERRORS, **_BODY_ERRORS, **_CONDITION_ERROR}.items()
            },
        },
    }
    return _pruned(document)


def _pruned(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out the schemas that nothing refers to, and the titles that repeat the name of a property."""
    components = document["components"]
    schemas = components["schemas"]
    needed: set[str] = set()
    pending = [{**document, "components": components | {"schemas": {}}}]
    while pending:
        names = {name.removeprefix(_REF_PREFIX) for name in _references(pending.pop())} - needed
        needed |= names
        pending += [schemas[name] for name in names]
    components["schemas"] = {name: schemas[name] for name in sorted(needed)}
    pruned: dict[str, Any] = _without_titles(document)
    return pruned


def _references(node: Any) -> Iterator[str]:
    """The schemas that a part of the document refers to."""
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REF_PREFIX):
            yield reference
    values = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for value in values:
        yield from _references(value)


def _without_titles(node: Any, *, names: bool = False) -> Any:
    """Leave out titles; in a mapping of names, "title" is one of them."""
    if isinstance(node, list):
        return [_without_titles(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: value if name == "info" else _without_titles(value, names=name == "properties" and not names)
        for name, value in node.items()
        if names or name != "title"
    }


class _Schemas:
    """The schemas of all inputs and outputs as components, under names of their own."""

    def __init__(self, operations: Iterable[AnyOperation]) -> None:
        models: dict[type[BaseModel], None] = {Meta: None}
        for operation in operations:
            models |= {operation.input: None, operation.output: None}
        self._refs, definitions = models_json_schema(
            [(model, "validation") for model in models], ref_template=_REF
        )
        self.components: dict[str, Any] = definitions.get("$defs", {})

    def ref(self, model: type[BaseModel]) -> dict[str, Any]:
        """Return a reference to the schema of a model."""
        return dict(self._refs[(model, "validation")])

    def properties(self, model: type[BaseModel]) -> tuple[dict[str, Any], list[str]]:
        """Return the properties of a model, and which of them are required."""
        schema = self.components[self.ref(model)["$ref"].rpartition("/")[2]]
        return schema.get("properties", {}), schema.get("required", [])


def _operation(
    resource: Resource, operation: AnyOperation, schemas: _Schemas, takes_condition: bool
) -> dict[str, Any]:
    properties, required = schemas.properties(operation.input)
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": operation.about,
        "tags": [resource.segments[0]],
        "parameters": _parameters(resource, operation, properties, required, takes_condition),
    }
    if resource.has_body:
        members = {name: one for name, one in properties.items() if name not in resource.path_inputs}
        needed = [name for name in required if name in members]
        described["requestBody"] = {
            "required": bool(needed),
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": members,
                        "additionalProperties": False,
                        **({"required": needed} if needed else {}),
                    }
                }
            },
        }
    described["responses"] = _responses(resource, operation, schemas, takes_condition)
    return described


def _parameters(
    resource: Resource,
    operation: AnyOperation,
    properties: Mapping[str, Any],
    required: Sequence[str],
    takes_condition: bool,
) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": properties[name]}
        for name in resource.path_inputs
    ]
    if not resource.has_body:
        parameters += [
            {
                "name": name,
                "in": "query",
                "required": name in required,
                "schema": _without_null(schema),
            }
            for name, schema in properties.items()
            if name not in PLACES.union(resource.path_inputs)
        ]
        if PLACES & properties.keys():
            text = "From the link `next` of the page before; the other parameters must be the same."
            parameters.append(
                {"name": "cursor", "in": "query", "description": text, "schema": {"type": "string"}}
            )
    headers = ["If-None-Match"] if resource.etag else []
    headers += ["Idempotency-Key"] if not operation.read_only else []
    headers += ["If-Match"] if takes_condition else []
    return parameters + [{"$ref": f"#/components/parameters/{name}"} for name in headers]


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter that is left out is not sent as null."""
    others = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if not others:
        return dict(schema)
    rest = {name: value for name, value in schema.items() if name not in {"anyOf", "default"}}
    return rest | (others[0] if len(others) == 1 else {"anyOf": others})


def _responses(
    resource: Resource, operation: AnyOperation, schemas: _Schemas, takes_condition: bool
) -> dict[str, Any]:
    envelope: dict[str, Any] = {
        "type": "object",
        "required": ["summary", "data", "hints", "meta"],
        "additionalProperties": False,
        "properties": {
            "summary": {"type": "string"},
            "data": schemas.ref(operation.output),
            "hints": {"type": "array", "items": {"type": "string"}},
            "meta": schemas.ref(Meta),
        },
    }
    headers = list(_ALWAYS)
    if PLACES & operation.input.model_fields.keys():
        schemas.properties(operation.output)[0].pop("next", None)  # the link takes its place
        envelope["properties"]["next"] = {"type": "string", "description": "The address of the next page"}
        headers.append("Link")
    headers += ["ETag"] if resource.etag else []
    headers += [] if operation.read_only else ["Idempotency-Replayed"]
    responses: dict[str, Any] = {
        str(resource.status): {
            "description": "The answer.",
            "headers": _headers(headers),
            "content": {"application/json": {"schema": envelope}},
        }
    }
    if resource.etag:
        responses["304"] = {"description": "You have it as it is.", "headers": _headers(["ETag"])}
    if not resource.keeps_key:
        text = "It was done before under this key; its answer held a secret, which is not kept."
        responses["204"] = {"description": text, "headers": _headers(["Idempotency-Replayed"])}
    errors = dict(_ERRORS)
    errors |= _BODY_ERRORS if resource.has_body else {}
    errors |= _CONDITION_ERROR if takes_condition else {}
    responses |= {status: {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(errors)}
    return responses


def _takes_condition(resource: Resource, resources: Sequence[Resource]) -> bool:
    """Return whether If-Match applies: the path begins with that of a resource that has a version."""
    return (
        resource.changes_item
        and resource.method != "GET"
        and any(one.etag and one.segments == resource.segments[: len(one.segments)] for one in resources)
    )


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _problem_response(status: str, text: str) -> dict[str, Any]:
    headers = ["X-Request-Id", *(["Retry-After"] if status in {"429", "503"} else [])]
    return {
        "description": text,
        "headers": _headers(headers),
        "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }

"""The table of resources: every operation has exactly one route, and each route is one that can be served."""

from __future__ import annotations

from collections import Counter

import pytest

from frasier.interfaces.http.openapi import openapi_document
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.resources import PLACES, RESOURCES, Resource

OPERATIONS = {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}


def test_every_operation_has_exactly_one_resource() -> None:
    assert Counter(one.operation for one in RESOURCES) == Counter(OPERATIONS.keys())


def test_no_two_resources_have_the_same_method_and_path() -> None:
    shapes = Counter(
        (one.method, tuple("{}" if part.startswith("{") else part for part in one.segments))
        for one in RESOURCES
    )
    assert [shape for shape, count in shapes.items() if count > 1] == []


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.operation)
def test_a_resource_fits_its_operation(resource: Resource) -> None:
    operation = OPERATIONS[resource.operation]
    fields = operation.input.model_fields
    assert set(resource.path_inputs) <= set(fields)
    assert resource.method != "GET" or operation.read_only, "GET changes nothing"
    assert not resource.etag or resource.method == "GET"
    places = PLACES & fields.keys()
    assert not places or (resource.method == "GET" and "next" in operation.output.model_fields)
    if resource.etag and resource.etag != ("*",):
        assert set(resource.etag) <= set(operation.output.model_fields)


def test_the_document_names_each_operation_once() -> None:
    document = openapi_document(RESOURCES, OPERATIONS)
    named = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(named) == len(set(named))
    assert set(OPERATIONS) <= set(named)

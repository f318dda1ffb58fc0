"""Operations are typed both ways: no dictionary crosses them, and what presents them reads attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel, create_model

import frasier
from frasier.interfaces.http.external_memory_protocol import EXTERNAL_MEMORY
from frasier.interfaces.http.query_contribute import CONTRIBUTE, QUERY
from frasier.interfaces.operations import AnyOperation, OperationInput, Output
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS

SOURCE = Path(frasier.__file__).parent
OPERATIONS = (*MEMORY_OPERATIONS.values(), *TASK_OPERATIONS.values(), QUERY, CONTRIBUTE, EXTERNAL_MEMORY)

OPEN_FIELDS = frozenset("criteria fields provenance state filled said work others".split())
"""Fields whose content a process, a user or an agent defines: what a task holds or gained, origins, a session's state."""

OWN_MAPPINGS = ("arguments", "match[", "NOTICES[")
"""What was typed, groups of a pattern, and constants: no attribute of an answer."""

PRESENTERS = sorted(
    path for folder in ("cli/memory", "cli/task") for path in (SOURCE / "interfaces" / folder).glob("*.py")
)


def open_dictionaries(annotation: Any, name: str) -> Iterator[str]:
    """The dictionaries of anything within an annotation, by the field that holds them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for field_name, field in annotation.model_fields.items():
            yield from open_dictionaries(field.annotation, f"{annotation.__name__}.{field_name}")
        return
    origin = get_origin(annotation) or annotation
    mapping = isinstance(origin, type) and issubclass(origin, Mapping)
    untyped = {Any, object} & set(get_args(annotation) or (Any,))
    if annotation in (Any, object) or (mapping and untyped):
        yield name
        return
    for part in get_args(annotation):
        yield from open_dictionaries(part, name)


def string_keys(source: str) -> list[str]:
    """The values that a module reads from a dictionary by a written key."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Subscript(
                value=ast.Name() | ast.Attribute() | ast.Subscript(), slice=ast.Constant(value=str())
            ):
                found.append(ast.unparse(node))
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str()), *_]):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_takes_and_gives_frozen_models(operation: AnyOperation) -> None:
    assert issubclass(operation.input, OperationInput)
    assert issubclass(operation.output, Output)
    assert operation.output is not Output
    assert operation.input.model_config["frozen"]
    assert operation.output.model_config["frozen"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_no_dictionary_crosses_an_operation_but_open_content(operation: AnyOperation) -> None:
    found = open_dictionaries(operation.output, operation.name)
    assert [name for name in found if name.rpartition(".")[2] not in OPEN_FIELDS] == []


@pytest.mark.parametrize(
    "annotation", [dict, dict[str, Any], dict[str, object], Mapping[str, Any], Any], ids=str
)
def test_a_dictionary_in_an_output_is_found(annotation: Any) -> None:
    Inner = create_model("Inner", __base__=Output, facts=(annotation, ...))  # noqa: N806

    class Outer(Output):
        inner: tuple[Inner, ...]  # type: ignore[valid-type]

    assert list(open_dictionaries(Outer, "outer")) == ["Inner.facts"]


@pytest.mark.parametrize("path", PRESENTERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_commands_read_attributes_of_answers(path: Path) -> None:
    assert [key for key in string_keys(path.read_text("utf-8")) if not key.startswith(OWN_MAPPINGS)] == []


def test_a_string_key_is_found() -> None:
    assert string_keys('def draw(data):\n    return data["title"] + data.get("text", "")') == [
        "data['title']",
        "data.get('text', '')",
    ]

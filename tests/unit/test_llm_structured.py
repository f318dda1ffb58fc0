"""Structured replies: the schema that providers get, and what counts as fitting it."""

from __future__ import annotations

import inspect
import json
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from frasier.kernel.errors import InvariantBroken
from frasier.llm import reply_schemas
from frasier.llm.reply_parsing import Problems, parse_reply, reply_schema, schema_instruction, without_bounds

REPLY_TYPES = [
    reply
    for name, reply in inspect.getmembers(reply_schemas, inspect.isclass)
    if issubclass(reply, BaseModel) and not name.startswith("_") and reply is not BaseModel
]


def _parts(schema):
    yield schema
    children = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    if isinstance(schema.get("items"), dict):
        children.append(schema["items"])
    for child in children:
        yield from _parts(child)


@pytest.mark.parametrize("reply_type", REPLY_TYPES)
def test_every_reply_schema_is_closed_bounded_and_without_references(reply_type):
    schema = reply_schema(reply_type)
    assert "$ref" not in json.dumps(schema)
    assert "$defs" not in schema
    for part in _parts(schema):
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
        if part.get("type") == "array":
            assert "maxItems" in part
        if part.get("type") == "string" and "enum" not in part:
            assert "maxLength" in part or "pattern" in part


def test_a_property_called_title_is_not_mistaken_for_a_keyword():
    schema = reply_schema(reply_schemas.PlanReply)
    assert "title" in schema["properties"]
    assert "title" not in schema
    assert "title" in schema["properties"]["steps"]["items"]["properties"]


def test_bounds_can_be_left_out_without_losing_the_shape():
    class Counted(BaseModel):
        maximum: Annotated[int, Field(ge=1, le=5)]
        names: Annotated[list[Annotated[str, Field(max_length=9)]], Field(max_length=3)]

    plain = without_bounds(reply_schema(Counted))
    assert set(plain["properties"]) == {"maximum", "names"}, "a property may be called like a bound"
    assert plain["properties"]["maximum"] == {"type": "integer"}
    assert plain["properties"]["names"] == {"items": {"type": "string"}, "type": "array"}
    assert plain["required"] == ["maximum", "names"]


def test_a_reply_type_that_contains_itself_is_refused():
    class Node(BaseModel):
        children: list[Node]

    Node.model_rebuild(_types_namespace={"Node": Node})
    with pytest.raises(InvariantBroken, match="contains itself"):
        reply_schema(Node)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "ready"}',
        '  {"answer": "ready"}\n',
        '```json\n{"answer": "ready"}\n```',
        '```\n{"answer": "ready"}\n```  ',
    ],
)
def test_json_is_read_with_or_without_one_fence_around_it(text):
    parsed = parse_reply(text, reply_schemas.SelfTestReply)
    assert parsed == reply_schemas.SelfTestReply(answer="ready")


@pytest.mark.parametrize(
    "text",
    [
        'Sure! {"answer": "ready"}',
        '{"answer": "ready"} Done.',
        '{"answer": "ready"',
        "{'answer': 'ready'}",
        'before ```json\n{"answer": "ready"}\n```',
        '{"answer": NaN}',
        '{"answer": "\\ud800"}',
    ],
)
def test_nothing_but_a_fence_is_repaired(text):
    assert isinstance(parse_reply(text, reply_schemas.SelfTestReply), Problems)


def test_problems_name_the_field_and_hold_none_of_the_reply():
    text = json.dumps({"title": "Plan", "steps": [{"key": "SECRET VALUE"}], "escalation": ""})
    problems = parse_reply(text, reply_schemas.PlanReply)
    assert isinstance(problems, Problems)
    assert any(line.startswith("steps.0.key:") for line in problems.lines)
    assert any(line.startswith("steps.0.task: Field required") for line in problems.lines)
    assert "SECRET VALUE" not in " ".join(problems.lines)


def test_unknown_fields_and_broken_bounds_are_problems():
    too_long = parse_reply(json.dumps({"answer": "x" * 81}), reply_schemas.SelfTestReply)
    extra = parse_reply(json.dumps({"answer": "x", "mood": "good"}), reply_schemas.SelfTestReply)
    assert isinstance(too_long, Problems)
    assert isinstance(extra, Problems)
    assert extra.lines[0].startswith("mood:")


def test_control_characters_do_not_survive_inside_strings():
    parsed = parse_reply('{"answer": "re\\u0000ady\\u001b[31m"}', reply_schemas.SelfTestReply)
    assert parsed == reply_schemas.SelfTestReply(answer="ready[31m")


def test_the_instruction_carries_the_schema():
    schema = reply_schema(reply_schemas.SelfTestReply)
    instruction = schema_instruction(schema)
    assert json.loads(instruction.split("\n", 1)[1]) == schema

"""Dialects: what is sent, and what is tried after a request was refused as malformed."""

from __future__ import annotations

import pytest

from frasier.llm import ClassifyInputs, Message, ProviderCall, Purpose
from frasier.llm.providers.dialect import ModelDialect

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "maxLength": 9}},
    "required": ["word"],
    "additionalProperties": False,
}


def _call(schema=SCHEMA) -> ProviderCall:
    return ProviderCall(
        model="m",
        messages=(Message(role="system", content="Be brief."), Message(role="user", content="Go")),
        purpose=Purpose.CLASSIFY,
        inputs=ClassifyInputs(message="Go"),
        json_schema=schema,
        schema_name="Word",
        max_output_tokens=77,
        temperature=0.4,
        timeout_s=5,
    )


def test_a_schema_is_sent_whole_with_its_bounds():
    body = ModelDialect.start("json_schema").request(_call())
    shape = body["response_format"]["json_schema"]
    assert shape == {"name": "Word", "strict": True, "schema": SCHEMA}
    assert body["max_tokens"] == 77
    assert body["temperature"] == 0.4
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Go"},
    ]


def test_plain_text_asks_for_no_format():
    body = ModelDialect.start("json_schema").request(_call(schema=None))
    assert "response_format" not in body


@pytest.mark.parametrize(
    ("mode", "response_format"), [("json_object", {"type": "json_object"}), ("prompt", None)]
)
def test_without_schema_support_the_schema_is_told_in_words(mode, response_format):
    body = ModelDialect.start(mode).request(_call())
    assert body.get("response_format") == response_format
    assert '"maxLength":9' in body["messages"][0]["content"]
    assert body["messages"][0]["role"] == "system"


def test_a_refused_schema_steps_down_to_one_without_bounds_and_then_to_words():
    first = ModelDialect.start("json_schema")
    second = first.adapted(refused_field=None, structured=True)
    third = second.adapted(refused_field=None, structured=True)
    assert "maxLength" not in str(second.request(_call()))
    assert second.request(_call())["response_format"]["type"] == "json_schema"
    assert "response_format" not in third.request(_call())
    assert third.adapted(refused_field=None, structured=True) is None


def test_a_refused_plain_request_is_not_tried_again():
    assert ModelDialect.start("json_schema").adapted(refused_field=None, structured=False) is None


def test_a_refused_field_is_said_otherwise_once():
    first = ModelDialect.start("json_schema")
    second = first.adapted(refused_field="max_tokens", structured=False)
    third = second.adapted(refused_field="temperature", structured=False)
    body = third.request(_call())
    assert body["max_completion_tokens"] == 77
    assert "max_tokens" not in body
    assert "temperature" not in body
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert third.adapted(refused_field="max_tokens", structured=False) is None
    assert third.adapted(refused_field="temperature", structured=False) is None

"""The request dialects of OpenAI-compatible servers, which differ in three places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from frasier.llm.reply_parsing import schema_instruction, without_bounds
from frasier.llm.settings import StructuredMode
from frasier.llm.types import Message, ProviderCall

Structure = Literal["json_schema", "json_schema_unbounded", "json_object", "prompt"]

# Models whose prompt cache keeps only what a request marks; the others find common beginnings themselves.
_MARKED_FAMILY = "anthropic/"

_NEXT_STRUCTURE: dict[Structure, Structure] = {
    "json_schema": "json_schema_unbounded",
    "json_schema_unbounded": "prompt",
    "json_object": "prompt",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDialect:
    """The form of a structured reply, of the output limit and of the temperature that one model accepts."""

    structure: Structure
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True

    @classmethod
    def start(cls, mode: StructuredMode) -> ModelDialect:
        return cls(structure=mode)

    def adapted(self, *, refused_field: str | None, structured: bool) -> ModelDialect | None:
        """Return the next dialect to try after a request was refused as malformed, or None if none is left.

        If the server names a refused field that is optional, that one changes; otherwise the form of the structured
        reply steps down.
        """
        if refused_field == "max_tokens" and self.limit_field == "max_tokens":
            return replace(self, limit_field="max_completion_tokens")
        if refused_field == "temperature" and self.temperature:
            return replace(self, temperature=False)
        lower = _NEXT_STRUCTURE.get(self.structure)
        return replace(self, structure=lower) if structured and lower else None

    def request(self, call: ProviderCall) -> dict[str, Any]:
        """Build the body of the request for `call`."""
        body: dict[str, Any] = {"model": call.model, self.limit_field: call.max_output_tokens}
        if self.temperature:
            body["temperature"] = call.temperature
        messages = call.messages
        if call.json_schema is not None:
            body |= self._response_format(call.schema_name, call.json_schema)
            if self.structure in {"json_object", "prompt"}:
                messages = _instructed(messages, call.json_schema)
        marks = call.model.startswith(_MARKED_FAMILY)
        body["messages"] = [
            {"role": message.role, "content": _marked(message) if marks else message.content}
            for message in messages
        ]
        return body

    def _response_format(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        match self.structure:
            case "prompt":
                return {}
            case "json_object":
                return {"response_format": {"type": "json_object"}}
            case "json_schema":
                sent_schema = schema
            case "json_schema_unbounded":
                sent_schema = without_bounds(schema)
        shape = {"name": name, "strict": True, "schema": sent_schema}
        return {"response_format": {"type": "json_schema", "json_schema": shape}}


def _marked(message: Message) -> list[dict[str, Any]]:
    """The content as parts, the shared beginning of which is marked for the cache."""
    shared, rest = message.content[: message.shared_chars], message.content[message.shared_chars :]
    mark = {"cache_control": {"type": "ephemeral"}}
    parts = [{"type": "text", "text": shared, **mark}] if shared.strip() else []
    return [*parts, *([{"type": "text", "text": rest}] if rest.strip() else [])]


def _instructed(messages: tuple[Message, ...], schema: dict[str, Any]) -> tuple[Message, ...]:
    first, *rest = messages
    content = f"{first.content}\n\n{schema_instruction(schema)}"
    return (Message(role=first.role, content=content, shared_chars=first.shared_chars), *rest)

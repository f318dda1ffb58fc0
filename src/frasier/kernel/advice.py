"""Advice: an action that the reader of an error or an answer can take next, named apart from any interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Argument: TypeAlias = str | int | float | bool
"""A value that an advised action takes: one that can be typed and sent as it is."""


class Advice:
    """An advised action with the arguments that are known, and what it is good for.

    `action` names an operation ("task.claim"); each interface renders it as what its reader can type, call or send.
    `to` is the purpose as an infinitive without "to" ("see its moves"); empty where the action explains itself.
    Two pieces of advice are equal if they say the same.
    """

    __slots__ = ("action", "arguments", "to")

    def __init__(self, action: str, /, *, to: str = "", **arguments: Argument) -> None:
        self.action = action
        self.to = to
        self.arguments: Mapping[str, Argument] = arguments

    def about(self, **arguments: Argument) -> Advice:
        """Return the advice with more arguments; those that it has already stay as they are."""
        return type(self)(self.action, to=self.to, **{**arguments, **self.arguments})

    def as_dict(self) -> dict[str, Any]:
        """Return the action, its purpose and its arguments as JSON, for storing and for programs that read answers."""
        return {"action": self.action, "to": self.to, "arguments": dict(self.arguments)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Advice:
        """Restore the advice that `as_dict` returned."""
        return cls(stored["action"], to=stored["to"], **stored["arguments"])

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        """Describe advice to Pydantic, for models that hold it: as JSON it is what `as_dict` returns."""
        from pydantic_core import core_schema  # noqa: PLC0415 (only models that hold advice need it)

        stored = core_schema.typed_dict_schema(
            {
                "action": core_schema.typed_dict_field(core_schema.str_schema()),
                "to": core_schema.typed_dict_field(core_schema.str_schema()),
                "arguments": core_schema.typed_dict_field(core_schema.dict_schema(core_schema.str_schema())),
            }
        )
        read = core_schema.no_info_after_validator_function(cls.from_dict, stored)
        return core_schema.json_or_python_schema(
            json_schema=read,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), read]),
            serialization=core_schema.plain_serializer_function_ser_schema(cls.as_dict),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Advice) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.action, self.to, tuple(sorted(self.arguments.items()))))

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"Advice({self.action!r}, to={self.to!r}{arguments})"

    def _facts(self) -> tuple[str, str, dict[str, Argument]]:
        return self.action, self.to, dict(self.arguments)

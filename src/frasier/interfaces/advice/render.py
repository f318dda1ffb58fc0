"""Render advice in the words of one interface, so that its reader can type, call or send it as it stands. Pure."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from frasier.interfaces.advice.actions import ACTIONS, FIELD_OPTIONS, Action, Reader
from frasier.interfaces.resources import RESOURCE_OF, Resource
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError

_POSITIONAL = re.compile(r" \{(\w+)(\??)\}")


class Dialect(Protocol):
    """The words of one interface, in which its readers act."""

    def advise(self, advice: Advice) -> str:
        """Render advice as one sentence; an empty text where its reader cannot follow it."""

    def explain_inputs(self, tool: str, names: Collection[str]) -> str:
        """Tell which inputs a tool takes."""

    def name_input(self, name: str, option: str) -> str:
        """Name an input of a tool, which a person gives as `option`."""

    def explain_missing(self, move: str, names: Collection[str]) -> str:
        """Tell how the fields that a move lacks, or the creation of a task, are given."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The words of somebody at a command line, who is refused some commands if not the founder."""

    reader: Reader = Reader.FOUNDER

    def advise(self, advice: Advice) -> str:
        action = ACTIONS[advice.action]
        allowed = self.reader >= action.whose if action.tool else action.members
        if not (allowed or self.reader is Reader.FOUNDER):
            return _ask_founder(advice)
        return f"Run {_command(advice)}{_purpose(advice)}."

    def explain_inputs(self, tool: str, names: Collection[str]) -> str:  # noqa: ARG002  options have other names
        action = next((action for action in ACTIONS.values() if action.tool == tool), None)
        if action is None:
            return ""
        return f"`frasier {_POSITIONAL.sub('', action.command).strip()} --help` shows what can be given."

    def name_input(self, name: str, option: str) -> str:  # noqa: ARG002
        return option

    def explain_missing(self, move: str, names: Collection[str]) -> str:
        options = FIELD_OPTIONS.get(move, {})
        return f"Give {' and '.join(options.get(name, f'--field {name}=…') for name in names)}."


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """The words of a model that has the tools `offered`; every one where that is None."""

    offered: Collection[str] | None = None
    reader: Reader = Reader.MEMBER

    def advise(self, advice: Advice) -> str:
        tool = ACTIONS[advice.action].tool
        if not _calls(advice, self.reader):
            return _ask_somebody(advice, self.reader)
        if self.offered is not None and tool not in self.offered:
            return ""
        given = ", ".join(f"{name}={_json(value)}" for name, value in advice.arguments.items())
        return f"Call {tool}{f' with {given}' if given else ''}{_purpose(advice)}."

    def explain_inputs(self, tool: str, names: Collection[str]) -> str:
        return f"{tool} takes {', '.join(names)}."

    def name_input(self, name: str, option: str) -> str:  # noqa: ARG002
        return name

    def explain_missing(self, move: str, names: Collection[str]) -> str:
        return _missing_inputs(move, names)


@dataclass(frozen=True, slots=True)
class HttpRequests:
    """The words of a program that speaks to us over HTTP; `by_tool` if it calls tools by name, not resources."""

    reader: Reader = Reader.MEMBER
    by_tool: bool = False

    def advise(self, advice: Advice) -> str:
        tool = ACTIONS[advice.action].tool
        if not _calls(advice, self.reader):
            return _ask_somebody(advice, self.reader)
        return f"{_request(RESOURCE_OF[tool], advice.arguments)}{_purpose(advice)}."

    def explain_inputs(self, tool: str, names: Collection[str]) -> str:
        if self.by_tool:
            return f"POST /api/v1/tools/{tool} takes {', '.join(names) or 'nothing'}."
        if (resource := RESOURCE_OF.get(tool)) is None:
            return f"The body for {tool} takes {', '.join(names)}."
        sent = [name for name in names if name not in resource.path_inputs]
        return f"{resource.method} {resource.path} takes {', '.join(sent) or 'nothing else'}."

    def name_input(self, name: str, option: str) -> str:  # noqa: ARG002
        return name

    def explain_missing(self, move: str, names: Collection[str]) -> str:
        return _missing_inputs(move, names)


def error_facts(error: FrasierError, dialect: Dialect) -> dict[str, Any]:
    """Return an error as an interface shows it: the hint holds the advice that its readers can follow."""
    advised = [(advice, sentence) for advice in error.advice if (sentence := dialect.advise(advice))]
    missing = (
        [dialect.explain_missing(error.facts["move"], error.facts["missing"])]
        if "missing" in error.facts
        else []
    )
    hint = " ".join(filter(None, (error.hint, *missing, *(sentence for _, sentence in advised))))
    facts = error.as_dict() | {"hint": hint, "advice": [advice.as_dict() for advice, _ in advised]}
    return {name: value for name, value in facts.items() if value}


def render_hints(hints: Iterable[str | Advice], dialect: Dialect) -> list[str]:
    """Return hints as sentences; advice that its reader cannot follow is left out."""
    sentences = (dialect.advise(hint) if isinstance(hint, Advice) else hint for hint in hints)
    return [sentence for sentence in sentences if sentence]


def announcement_text(payload: Mapping[str, Any]) -> str:
    """Return the text of an announcement with its advice as commands: the founder reads it beside the machine."""
    return text_for_founder(str(payload["text"]), map(Advice.from_dict, payload.get("advice", ())))


def text_for_founder(text: str, advice: Iterable[Advice]) -> str:
    """Return a text followed by its advice as commands."""
    return " ".join([text, *render_hints(advice, CommandLine())])


def _missing_inputs(move: str, names: Collection[str]) -> str:
    """Fields are inputs of their own where a task is made or claimed, and members of `fields` elsewhere."""
    own = FIELD_OPTIONS.get(move, {})
    return f"Give {' and '.join(name if name in own else f'fields.{name}' for name in names)}."


def _purpose(advice: Advice) -> str:
    return f" to {advice.to}" if advice.to else ""


def _calls(advice: Advice, reader: Reader) -> bool:
    """Whether a reader with these rights can take the action by a tool."""
    action = ACTIONS[advice.action]
    return bool(action.tool) and reader >= action.whose


def _ask_somebody(advice: Advice, reader: Reader) -> str:
    """Ask the founder, who may be the reader, and types the command at the machine then."""
    if reader is Reader.FOUNDER:
        return f"At the machine, run {_command(advice)}{_purpose(advice)}."
    return _ask_founder(advice)


def _ask_founder(advice: Advice) -> str:
    """The founder alone may do it, so the reader can but ask for it."""
    return f"Ask the founder{_purpose(advice)}: {_command(advice)}."


def command_text(advice: Advice) -> str:
    """Return advice as the command that takes it, ready to be typed."""
    action = ACTIONS[advice.action]
    positional = [name for name, _ in _POSITIONAL.findall(action.command)]
    typed = _POSITIONAL.sub(
        lambda found: _positional(advice, found[1], optional=bool(found[2])), action.command
    )
    options = [
        _option(action, name, value) for name, value in advice.arguments.items() if name not in positional
    ]
    return " ".join(["frasier", typed, *options])


def _command(advice: Advice) -> str:
    return f"`{command_text(advice)}`"


def _positional(advice: Advice, name: str, *, optional: bool) -> str:
    if name in advice.arguments:
        return f" {shlex.quote(str(advice.arguments[name]))}"
    return "" if optional else f" {name.upper()}"


def _option(action: Action, name: str, value: object) -> str:
    option = action.options.get(name, f"--{name.replace('_', '-')}")
    return option if value is True else f"{option} {shlex.quote(str(value))}"


def _request(resource: Resource, arguments: Mapping[str, Any]) -> str:
    """Return the request of a resource with arguments in their places; what is not given stays in braces."""
    in_path = {
        name: quote(str(arguments.get(name, f"{{{name}}}")), safe="{}") for name in resource.path_inputs
    }
    address = f"{resource.method} {resource.path.format_map(in_path)}"
    others = {name: value for name, value in arguments.items() if name not in in_path}
    if not others:
        return address
    if resource.has_body:
        return f"{address} with {_json(others)}"
    query = {name: str(value).lower() if isinstance(value, bool) else value for name, value in others.items()}
    return f"{address}?{urlencode(query, doseq=True)}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

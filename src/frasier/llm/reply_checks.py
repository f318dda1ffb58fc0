"""Parsing of model replies. A reply that is cut off, empty, filtered or a disguised error is no answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.text import estimate_tokens, fit_tokens, shorten, strip_control
from frasier.llm.reply_parsing import Problems, parse_reply, reply_schema, schema_instruction
from frasier.llm.types import Message, ProviderReply

_HTML_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_ERROR_FIELDS = {
    "error",
    "code",
    "detail",
    "message",
    "object",
    "param",
    "request_id",
    "status",
    "type",
    "user_id",
}
# An unreadable reply is quoted back to the model up to this length.
_QUOTED_TOKENS_MAX = 2_000
_JOIN_TOKENS = 16
_FAULT_CHARS = 300


class FlawKind(StrEnum):
    TRUNCATED = "truncated"
    EMPTY = "empty"
    FILTERED = "filtered"
    ERROR_TEXT = "error_text"
    INVALID = "invalid"
    UNFIT = "unfit"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableReply:
    """A usable reply."""

    text: str
    parsed: BaseModel | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """The reason that a reply is unusable: `message` and `hint` for a person, `problems` for its model."""

    kind: FlawKind
    message: str
    problems: tuple[str, ...] = ()
    hint: str = ""


def read_answer(
    reply: ProviderReply,
    reply_type: type[BaseModel] | None,
    find_faults: Callable[[Any], Sequence[str]] | None = None,
) -> UsableReply | Flaw:
    """Parse `reply`: the answer in it, or its flaw."""
    if reply.finish_reason == "length":
        return Flaw(
            kind=FlawKind.TRUNCATED,
            message=f"the reply was cut off at its limit, after {reply.tokens_out:,} tokens",
        )
    if reply.finish_reason == "content_filter":
        return Flaw(kind=FlawKind.FILTERED, message="the model's content filter held the reply back")
    if reply.finish_reason != "stop":
        return Flaw(
            kind=FlawKind.TRUNCATED,
            message=f"the reply did not end by itself ({reply.finish_reason or 'no reason'})",
        )
    return read_text(strip_control(reply.text), reply_type, find_faults)


def read_text(
    text: str,
    reply_type: type[BaseModel] | None,
    find_faults: Callable[[Any], Sequence[str]] | None = None,
) -> UsableReply | Flaw:
    """Parse the whole `text` of a reply: the answer in it, or its flaw; see Request."""
    if not text.strip():
        return Flaw(kind=FlawKind.EMPTY, message="the reply was empty")
    if reply_type is None:
        if _is_error_text(text):
            return Flaw(
                kind=FlawKind.ERROR_TEXT, message="the reply was an error message in place of an answer"
            )
        if find_faults and (faults := tuple(find_faults(text))):
            return Flaw(
                kind=FlawKind.UNFIT,
                message=f"the text cannot be used ({shorten(' '.join(faults), _FAULT_CHARS)})",
                problems=faults,
            )
        return UsableReply(text=text, parsed=None)
    parsed = parse_reply(text, reply_type)
    if isinstance(parsed, Problems):
        problems = "; ".join(parsed.lines[:3])
        return Flaw(
            kind=FlawKind.INVALID,
            message=f"the reply does not fit its schema ({problems})",
            problems=parsed.lines,
        )
    if find_faults and (faults := tuple(find_faults(parsed))):
        return Flaw(
            kind=FlawKind.INVALID,
            message=f"the reply cannot be used ({shorten(' '.join(faults), _FAULT_CHARS)})",
            problems=faults,
        )
    return UsableReply(text=text, parsed=parsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A follow-up question that tells the model what was wrong with its reply.

    `quoted` is the reply, if there was one; without it the complaint joins the question, because many chat templates
    refuse two consecutive messages of the user.
    """

    complaint: str
    quoted: str = ""

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.complaint) + estimate_tokens(self.quoted) + _JOIN_TOKENS

    def extend(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Append the complaint to `messages`, which end with the question."""
        if self.quoted:
            quoted = Message(role="assistant", content=self.quoted)
            return (*messages, quoted, Message(role="user", content=self.complaint))
        question = messages[-1]
        return (*messages[:-1], Message(role="user", content=f"{question.content}\n\n{self.complaint}"))


def plan_repair(text: str, flaw: Flaw, reply_type: type[BaseModel] | None) -> Repair | None:
    """Build the follow-up to the reply `text`, or None if asking the same model again cannot help."""
    match flaw.kind:
        case FlawKind.FILTERED:
            return None
        case FlawKind.TRUNCATED:
            return Repair(complaint="Your last reply was cut off. Answer again: complete, and much shorter.")
        case FlawKind.EMPTY:
            return Repair(complaint="Your last reply was empty. Answer now.")
        case FlawKind.ERROR_TEXT | FlawKind.UNREADABLE:
            return Repair(complaint="Your last reply did not arrive. Answer now.")
        case FlawKind.UNFIT:
            faults = "\n".join(f"- {fault}" for fault in flaw.problems)
            return Repair(complaint=f"Your last reply could not be used:\n{faults}\n\nDo the whole task now.")
        case FlawKind.INVALID:
            if reply_type is None:
                raise InvariantBroken("a plain text cannot break a schema")
            problems = "\n".join(f"- {problem}" for problem in flaw.problems)
            instruction = schema_instruction(reply_schema(reply_type))
            return Repair(
                complaint=f"Your reply could not be used:\n{problems}\n\n{instruction}",
                quoted=fit_tokens(strip_control(text).strip(), _QUOTED_TOKENS_MAX),
            )


def _is_error_text(text: str) -> bool:
    """Whether `text` is a server's error page or error object rather than prose."""
    if _HTML_PAGE.match(text):
        return True
    try:
        data = from_json(text)
    except ValueError:
        return False
    return isinstance(data, dict) and "error" in data and data.keys() <= _ERROR_FIELDS

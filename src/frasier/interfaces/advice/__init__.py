"""Advice and errors rendered for a reader: as commands, as tool calls or as HTTP requests."""

from frasier.interfaces.advice.actions import ACTIONS, Action
from frasier.interfaces.advice.render import (
    CommandLine,
    Dialect,
    HttpRequests,
    ToolCalls,
    announcement_text,
    error_facts,
    render_hints,
    text_for_founder,
)

__all__ = [
    "ACTIONS",
    "Action",
    "CommandLine",
    "Dialect",
    "HttpRequests",
    "ToolCalls",
    "announcement_text",
    "error_facts",
    "render_hints",
    "text_for_founder",
]

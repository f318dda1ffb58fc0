"""Advice and errors rendered for a reader: as commands, as tool calls or as HTTP requests."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.advice.actions import ACTIONS as ACTIONS, Action as Action
    from frasier.interfaces.advice.render import (
        CommandLine as CommandLine,
        Dialect as Dialect,
        HttpRequests as HttpRequests,
        ToolCalls as ToolCalls,
        announcement_text as announcement_text,
        error_facts as error_facts,
        render_hints as render_hints,
        text_for_founder as text_for_founder,
    )
    from frasier.interfaces.advice.render import command_text as command_text
else:
    lazy_exports(__name__)

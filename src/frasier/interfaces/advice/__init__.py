"""Advice and errors rendered for a reader: as commands, as tool calls or as HTTP requests."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.advice.actions import ACTIONS, Reader
    from frasier.interfaces.advice.render import (
        CommandLine,
        Dialect,
        HttpRequests,
        ToolCalls,
        announcement_text,
        error_facts,
        render_hints,
        text_for_founder,
        command_text,
    )
    from frasier.interfaces.advice.web_page import PageWords, page_for
else:
    lazy_exports(__name__)

"""The sections of the conversation with the founder: the turns before a message, and what comes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frasier.llm import ConversationTurn, Passage, Section, fenced, list_section, one_line


def turn_sections(turns: Sequence[ConversationTurn]) -> list[Section]:
    """Build the section of the turns before a message, in their order, each on a line.

    Answers may quote text from outside, so the turns are material like that.
    """
    if not turns:
        return []
    lines = "\n".join(f"{turn.speaker}: {one_line(turn.text)}" for turn in turns)
    return [replace(fenced("The conversation so far, the newest turn last", "memory", lines), weight=3)]


def attachment_sections(attachments: Sequence[Passage], unread: Sequence[str]) -> list[Section]:
    """Build a section for each attachment of a message, and one with those that could not be read."""
    sections = [
        replace(
            fenced(f"Attachment {one.number}", "source", one.text, name=one.file, title=one.title), weight=4
        )
        for one in attachments
    ]
    return [*sections, list_section("What could not be read", unread, fixed=True)]

"""The sections that the requests of team routines have in common."""

from __future__ import annotations

from collections.abc import Iterable

from frasier.llm import Section, SpokenTurn, fenced


def said_sections(turns: Iterable[SpokenTurn]) -> list[Section]:
    """Build a section for what each colleague said, in order; it is material and no instruction."""
    return [
        fenced(f"What a colleague said ({number})", "colleague", turn.text, name=turn.name)
        for number, turn in enumerate(turns, start=1)
    ]

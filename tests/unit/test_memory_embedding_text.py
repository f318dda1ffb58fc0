"""What of a memory is indexed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from frasier.memory.indexed_text import indexed_text

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, "I adopted a cat."),
        ({"speaker": "Ada"}, "Ada: I adopted a cat."),
        ({"speaker": "Ada", "occurred_at": MAY}, "[8 May 2023] Ada: I adopted a cat."),
        ({"occurred_at": MAY}, "[8 May 2023] I adopted a cat."),
        ({"title": "Pets"}, "Pets\nI adopted a cat."),
        ({"title": "Pets", "speaker": "Ada", "occurred_at": MAY}, "Pets\n[8 May 2023] Ada: I adopted a cat."),
        ({"speaker": "Ada", "content": "Ada: Hello."}, "Ada: Hello."),
        ({"speaker": "Ada", "content": "Adam: Hello."}, "Ada: Adam: Hello."),
    ],
)
def test_date_speaker_and_title_are_words_of_the_text(given, text):
    fields = {"title": "", "content": "I adopted a cat.", "speaker": None, "occurred_at": None}
    assert indexed_text(fields | given) == text

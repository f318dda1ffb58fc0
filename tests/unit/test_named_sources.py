"""Which sources a question names."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from frasier.work.conversation.named_sources import named_sources
from frasier.work.research.mission_sources import Source, SourceKind

_FILES = {
    1: ("Rechnung 01", "rechnung_01.md", ""),
    2: ("Rechnung Nr. 07 – Beispiel GmbH", "scan-b.pdf", ""),
    3: ("Lease of the hall", "lease_of_the_hall.docx", ""),
    4: ("Quote", "a.pdf", "Quote AN-2026-19\n\nWe offer forty pumps."),
    5: ("Minutes of March 2026", "minutes.md", "Invoice 12 was paid."),
}
_SOURCES = [
    Source(
        mission_id=UUID(int=1),
        number=number,
        kind=SourceKind.FILE,
        uri=uri,
        title=title,
        sha256="",
        chars=len(opening),
        opening=opening,
        read_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    for number, (title, uri, opening) in _FILES.items()
]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Was steht in Rechnung 07?", (2,)),
        ("Bis wann ist rechnung 7 zu zahlen?", (2,)),
        ("What is in rechnung_01.md?", (1,)),
        ("How long does the lease of the hall last?", (3,)),
        ("What does AN-2026-19 cost?", (4,)),
        ("Why [3], and what of Rechnung 01?", (1, 3)),
        ("Who was paid in June 2026?", ()),
        ("Which Rechnung is the highest?", ()),
        ("What does [9] say?", ()),
    ],
)
def test_a_question_names_sources_by_number_title_file_name_or_code(
    question: str, named: tuple[int, ...]
) -> None:
    assert named_sources(question, _SOURCES) == named

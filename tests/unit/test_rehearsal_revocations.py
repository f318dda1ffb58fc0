"""Statements that no longer hold: what revokes them, what supersedes them, and what does neither."""

from __future__ import annotations

import pytest

from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of

OFFER = """# Offer 4471 of Nordholm Tools

Date: 4 May 2026

| item | price | delivery |
|---|---|---|
| Saw NT-20 | 410.00 EUR | 12 June 2026 |
| Drill NT-35 | 95.00 EUR | 12 June 2026 |

The offer is valid until 30 June 2026.
"""


def marked(offer: str, mail: str, sent: str = "19 May 2026") -> list[str]:
    """The statements of the offer that the mail revokes or supersedes, as they are quoted."""
    header = f"From: Sales <sales@nordholm.example>\nDate: {sent}\n\n"
    passages = (
        Passage(number=1, title="Offer 4471 of Nordholm Tools", text=offer),
        Passage(number=2, title="mail", text=f"{header}{mail}\n"),
    )
    corpus = corpus_of(passages)
    texts = {one.order: one for one in corpus.evidence}
    return [revocation.marked(texts[order]) for order, revocation in sorted(corpus.revocations.items())]


@pytest.mark.parametrize(
    "mail",
    [
        "We withdraw offer 4471.",
        "Offer 4471 is no longer valid.",
        "This offer replaces offer 4471.",
        "Hiermit widerrufen wir das Angebot 4471.",
        "Notre offre 4471 est annulée.",
        "La oferta 4471 queda anulada.",
    ],
)
def test_a_document_that_is_revoked_by_its_number_is_revoked_as_a_whole(mail: str) -> None:
    quotes = marked(OFFER, mail)
    assert "Revoked by [2] – item: Saw NT-20; price: 410.00 EUR; delivery: 12 June 2026" in quotes
    assert "Revoked by [2] – The offer is valid until 30 June 2026." in quotes


@pytest.mark.parametrize(
    "mail",
    [
        "The price of 410.00 EUR for the saw is no longer valid; the new price is 440.00 EUR.",
        "Unser Preis von 410,00 EUR ist nicht mehr gültig. Der neue Preis beträgt 440,00 EUR.",
        "Nous annulons notre prix de 410,00 EUR.",
        "El precio de 410,00 EUR ya no es válido.",
    ],
)
def test_of_a_record_only_the_value_that_is_named_is_revoked(mail: str) -> None:
    assert marked(OFFER, mail) == [
        "item: Saw NT-20; price: 410.00 EUR (revoked by [2]); delivery: 12 June 2026"
    ]


def test_a_later_value_supersedes_an_earlier_one_of_the_same_subject() -> None:
    offer = "Date: 4 May 2026\n\nThe spring fair takes place on 12 June 2026. Entrance is free on Sundays.\n"
    assert marked(offer, "The spring fair has been moved to 19 June 2026.") == [
        "Superseded by [2] – The spring fair takes place on 12 June 2026."
    ]
    assert marked(offer, "The spring fair has been moved to 19 June 2026.", sent="1 May 2026") == []


def test_what_is_said_of_a_thing_that_is_gone_is_revoked() -> None:
    offer = (
        "Date: 4 May 2026\n\nThe conference takes place in the Linden Hall. The hotel is near the station.\n"
    )
    assert marked(offer, "After the fire the Linden Hall remains closed.") == [
        "Revoked by [2] – The conference takes place in the Linden Hall."
    ]


@pytest.mark.parametrize(
    "mail",
    [
        "Orders can be cancelled within 14 days.",
        "If offer 4471 is withdrawn, we will tell you.",
        "Was offer 4471 withdrawn?",
        "We replaced the blade of the Saw NT-20 in our workshop.",
        "The price of the lamp is no longer valid.",
        "Thank you for your interest in offer 4471.",
    ],
)
def test_what_revokes_nothing_marks_nothing(mail: str) -> None:
    assert marked(OFFER, mail) == []


def test_an_earlier_mail_revokes_nothing_of_a_later_offer() -> None:
    assert marked(OFFER, "We withdraw offer 4471.", sent="1 May 2026") == []

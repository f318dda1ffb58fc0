"""What supersedes a source is read beside it, however it ranks, in the languages of the product."""

from __future__ import annotations

import pytest

from frasier.llm import Passage
from frasier.work.research.passage_selection import select_passages
from frasier.work.research.revocation_cues import says_revoked
from frasier.work.research.supersession import Companions, SourceHead, find_supersessions, index_supersessions

REVOCATIONS = {
    "english": "Our offer 2026-17 is withdrawn; this letter replaces it.",
    "german": "Unser Angebot 2026-17 ist hiermit widerrufen und wird durch dieses Schreiben ersetzt.",
    "french": "Notre offre 2026-17 est retirée et remplacée par la présente lettre.",
    "spanish": "Nuestra oferta 2026-17 queda anulada y esta carta la sustituye.",
    "italian": "La nostra offerta 2026-17 è revocata e sostituita da questa lettera.",
    "dutch": "Onze offerte 2026-17 is ingetrokken en wordt door deze brief vervangen.",
    "portuguese": "A nossa oferta 2026-17 está revogada e é substituída por esta carta.",
    "polish": "Nasza oferta 2026-17 zostaje wycofana i zastąpiona tym pismem.",
}


def head(number: int, title: str, opening: str = "", uri: str = "") -> SourceHead:
    return SourceHead(number=number, title=title, uri=uri or f"{title}.md", opening=opening or title)


def passage(number: int, text: str) -> Passage:
    return Passage(number=number, title=f"title {number}", text=text)


LETTERS = [head(number, f"Letter {100 + number}", "We write about the harbour.") for number in range(10, 60)]


@pytest.mark.parametrize("language", REVOCATIONS)
def test_a_revocation_that_names_a_source_supersedes_it_in_every_language(language: str) -> None:
    text = REVOCATIONS[language]
    assert says_revoked(text)
    heads = [head(1, "Offer 2026-17"), head(2, "Offer 2026-18"), head(3, "Mail"), *LETTERS]
    found = find_supersessions(heads, [passage(3, text)])
    assert [(one.old, one.new) for one in found] == [(1, 3)]


def test_a_source_is_named_by_its_date_or_by_the_words_of_its_title() -> None:
    heads = [
        head(1, "Minutes of the works council", "Minutes of 3 May 2026"),
        head(2, "Parking rules for visitors"),
        head(3, "Notice"),
        *LETTERS,
    ]
    by_date = passage(3, "The decision of 2026-05-03 is repealed. Nothing else changes.")
    by_words = passage(3, "From June on the rules on parking for visitors no longer apply.")
    neither = passage(3, "What was said before no longer applies.")
    assert [one.old for one in find_supersessions(heads, [by_date])] == [1]
    assert [one.old for one in find_supersessions(heads, [by_words])] == [2]
    assert find_supersessions(heads, [neither]) == []


def test_a_newer_version_of_a_document_supersedes_the_older_ones_but_a_series_stands_apart() -> None:
    heads = [
        head(1, "Price list May 2025", uri="prices-2025-05.md"),
        head(2, "Price list June 2026", uri="prices-2026-06.md"),
        head(3, "Preisliste", "Preisliste, Stand 1. Mai 2025", uri="a.md"),
        head(4, "Preisliste", "Preisliste, Stand 1. Juni 2026", uri="b.md"),
        *[head(n, f"Invoice of {n - 9} July 2026", uri=f"invoice-{n}.md") for n in range(10, 30)],
    ]
    assert sorted((one.old, one.new) for one in find_supersessions(heads, [])) == [(1, 2), (3, 4)]


def _companions(heads: list[SourceHead], revoking: list[Passage], **best: Passage) -> Companions:
    firsts = {one.number: one.passage for one in heads}
    return Companions(
        supersessions=find_supersessions(heads, revoking),
        best=firsts | {one.number: one for one in best.values()},
    )


def test_what_supersedes_a_passage_is_chosen_with_it_and_stands_behind_it() -> None:
    revoking = passage(40, "Our offer 2026-17 is withdrawn.")
    heads = [head(1, "Letter"), head(7, "Offer 2026-17"), head(40, "Mail"), *LETTERS[:20]]
    companions = _companions(heads, [revoking])
    ranking = [passage(1, "a"), passage(7, "the price is 120 EUR"), *(passage(n, "b") for n in range(8, 30))]
    chosen = select_passages([ranking], limit=5, tokens_max=1_000, per_source=3, companions=companions)
    assert [one.number for one in chosen] == [1, 7, 40, 8, 9]
    assert revoking in chosen


def test_a_pair_of_which_neither_ranks_high_is_found_together() -> None:
    revoking = [passage(40, "Offer 2026-17 of pumps is withdrawn."), passage(41, "The bus was cancelled.")]
    heads = [head(7, "Offer 2026-17", "# Offer 2026-17\n\nA pump costs 120 EUR."), head(40, "Mail"), *LETTERS]
    companions = _companions(heads, revoking)
    ranked = index_supersessions(tuple(heads), tuple(revoking)).rank("What does a pump cost?")
    assert [one.number for one in ranked] == [40]
    crowd = [passage(number, f"pumps and prices {number}") for number in range(10, 39)]
    chosen = select_passages([crowd, ranked], limit=4, tokens_max=1_000, per_source=3, companions=companions)
    assert [one.number for one in chosen] == [7, 40, 10, 11]


def test_where_a_pair_has_no_room_together_neither_is_taken_alone() -> None:
    long = passage(40, "Our offer 2026-17 is withdrawn. " + "We tell of the weather. " * 60)
    heads = [head(1, "Letter"), head(7, "Offer 2026-17"), head(40, "Mail"), *LETTERS[:20]]
    ranking = [passage(1, "a"), passage(7, "the price is 120 EUR"), passage(8, "b")]
    companions = _companions(heads, [long])
    chosen = select_passages([ranking], limit=9, tokens_max=100, per_source=3, companions=companions)
    assert [one.number for one in chosen] == [1, 8]


def test_a_short_number_alone_names_no_source() -> None:
    heads = [head(1, "Invoice 14"), head(2, "Letter 25"), head(3, "Handbook"), *LETTERS]
    text = "Orders can be cancelled within 14 days. The old rule is replaced as of room 25."
    assert says_revoked(text)
    assert find_supersessions(heads, [passage(3, text)]) == []


def test_the_same_sources_are_indexed_once_until_one_is_added() -> None:
    def heads() -> tuple[SourceHead, ...]:
        return tuple(head(number, f"Letter {number}") for number in range(200, 210))

    revoking = (passage(205, "Our letter 203 is withdrawn."),)
    first = index_supersessions(heads(), revoking)
    assert index_supersessions(heads(), revoking) is first
    assert index_supersessions((*heads(), head(210, "Letter 210")), revoking) is not first

"""Those of whom a source speaks without naming them: its author, and whoever a pronoun stands for."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import StatementVerdict

MAIL = """\
From: Teresa Varga <varga@ropes.example>
To: Harbour office

I recommend twelve new fenders for the north quay.
The old bollards can stay until next summer.

Kind regards
Teresa Varga
"""
MINUTES = """\
# Minutes of the harbour board

1. Mr Penhale regretted the collision of 11 March. He denied that the crack in the quay came from it.
2. Ms Okoro asked for a survey of the north quay. The board agreed.
"""
ITALIAN = """\
Da: Carla Fabris <fabris@pieve.example>

Il saggio C a sud della chiesa non è autorizzato, perché vi passa la condotta del gas.
La richiesta va presentata entro il 15 novembre.

Carla Fabris
"""


def sources(*texts: str) -> Sources:
    return Sources(
        by_number={
            number: SourceText(number=number, title="", text=text) for number, text in enumerate(texts, 1)
        }
    )


def subjects_by_text(text: str) -> dict[str, frozenset[str]]:
    source = SourceText(number=1, title="", text=text)
    return {unit.text: source.subjects[unit.order].names for unit in source.units}


def test_every_unit_of_a_mail_speaks_for_its_sender() -> None:
    subjects = subjects_by_text(MAIL)
    assert subjects["I recommend twelve new fenders for the north quay."] >= {"teresa", "varga"}
    assert subjects["The old bollards can stay until next summer."] >= {"teresa", "varga"}


def test_a_pronoun_stands_for_the_name_before_it_in_its_paragraph() -> None:
    subjects = subjects_by_text(MINUTES)
    assert subjects["He denied that the crack in the quay came from it."] == {"penhale"}


def test_an_article_that_is_a_pronoun_elsewhere_stands_for_nobody() -> None:
    subjects = subjects_by_text(ITALIAN)
    [sentence] = [text for text in subjects if text.startswith("Il saggio")]
    assert subjects[sentence] >= {"carla", "fabris"}


@pytest.mark.parametrize(
    "statement",
    [
        "Teresa Varga recommends twelve new fenders for the north quay [1].",
        "Penhale denied that the crack in the quay came from the collision of 11 March [2].",
    ],
)
def test_a_statement_may_name_whom_its_source_does_not(statement: str) -> None:
    [check] = check_text(statement, sources(MAIL, MINUTES))
    assert check.verdict is not StatementVerdict.DOUBTFUL, check.findings


@pytest.mark.parametrize(
    "statement",
    [
        "Okoro recommends twelve new fenders for the north quay [1][2].",
        "Okoro denied that the crack in the quay came from the collision [2].",
    ],
)
def test_another_name_in_the_place_of_an_author_or_a_pronoun_is_found(statement: str) -> None:
    [check] = check_text(statement, sources(MAIL, MINUTES))
    assert check.verdict is StatementVerdict.DOUBTFUL

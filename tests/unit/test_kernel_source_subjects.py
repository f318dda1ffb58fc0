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
THREAD = """\
From: Graham Pell
To: Dr Anil Basu
Date: 8 April 2025

Anil,

I will recommend the twelve fenders on the 16th.

Graham

> From: Dr Anil Basu
> Date: 7 April 2025
>
> Graham, the old crane has broken down 14 times since
> October. I could live with either offer, but not with 20 weeks of waiting.
> Anil
"""
CHAT = """\
[8/20/25, 6:42 PM] Rosalind Teague: Forecast is 18 knots, gusts to 26
[8/20/25, 6:51 PM] Dale Ostrander: Not for the Scots. The Lasers yes, three laps instead of five
[8/20/25, 7:05 PM] Rosalind Teague: Agreed. I bring the second boat
"""
TRANSCRIPT = """\
Review of the outage, 15 April 2025

KRUSE: I rolled back because the deploy was the last thing I had seen. Nobody told me.
NASSER: I am against the licence.
KRUSE: Then let us change the alarm.
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


def test_each_mail_of_a_thread_speaks_for_its_own_sender() -> None:
    subjects = subjects_by_text(THREAD)
    assert subjects["I will recommend the twelve fenders on the 16th."] == {"graham", "pell"}
    answered = "I could live with either offer, but not with 20 weeks of waiting."
    assert subjects[answered] == {"anil", "basu"}
    assert "Graham, the old crane has broken down 14 times since October." in subjects


def test_a_line_of_a_chat_or_a_transcript_speaks_for_whom_it_names() -> None:
    subjects = subjects_by_text(CHAT)
    assert subjects["The Lasers yes, three laps instead of five"] == {"dale", "ostrander"}
    assert subjects["I bring the second boat"] == {"rosalind", "teague"}
    assert subjects_by_text(TRANSCRIPT)["Nobody told me."] == {"kruse"}


@pytest.mark.parametrize(
    "statement",
    [
        "According to Dr Anil Basu, the old crane has failed 14 times since October [1].",
        "Basu would accept either offer, but not 20 weeks of waiting [1].",
        "Dale Ostrander proposed three laps instead of five for the Lasers [2].",
    ],
)
def test_a_statement_may_name_the_sender_of_an_older_mail(statement: str) -> None:
    [check] = check_text(statement, sources(THREAD, CHAT))
    assert check.findings == ()


def test_an_amount_behind_a_sign_is_no_quoted_mail() -> None:
    tiers = "Prices per bag:\n> 50 kg: 12 EUR\n> 100 kg: 11 EUR\n"
    assert [unit.text for unit in SourceText(number=1, title="", text=tiers).units][1:] == [
        "> 50 kg: 12 EUR",
        "> 100 kg: 11 EUR",
    ]


def test_whom_a_mail_only_addresses_is_not_the_one_who_says_it() -> None:
    [check] = check_text("Graham would not wait 20 weeks for an offer [1].", sources(THREAD))
    assert check.verdict is StatementVerdict.DOUBTFUL


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

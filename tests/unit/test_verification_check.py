"""The computed check of statements: what the sources carry is verified, what they do not is found."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import FindingKind, StatementCheck, StatementVerdict

OFFER = """\
From: sales@zephyr.example
Date: Fri, 10 Jul 2026 09:12:00 +0200
Subject: Offer for the pump ZP-40

Dear Ms Adler,

Zephyr Dynamics offers the pump ZP-40 for EUR 41.80 per unit. The offer is valid until 31 August 2026.
Delivery takes 12 working days. Shipping is not included. All pumps carry a two-year warranty, and the
housing withstands 1,250 bar at temperatures of up to 85 °C. We granted a discount of 5 % to 37 of our
customers last year.

Kind regards,
Tom Rask, Head of Sales
"""
PRICES = """\
supplier,product,price_eur,delivery_days,certified
Nordwind,NW-1,39.90,21,no
Zephyr,ZP-40,45.00,12,yes
Alba,AL-9,52.50,5,yes
"""
CONTRACT = """\
# Rahmenvertrag

Die Laufzeit beträgt zwölf Monate und beginnt am 1. April 2026. Die Kündigungsfrist beträgt drei Monate zum
Ende der Laufzeit. Der Preis beträgt 1.250,00 EUR je Monat zuzüglich 19 % Umsatzsteuer. Eine Haftung für
Folgeschäden ist ausgeschlossen. Ansprechpartnerin ist Dr. Anna Brandt von der Kessler GmbH.
"""
MINUTES = """\
Minutes of 3 March 2026

- The board approved a budget of 2.4 million EUR for the northern plant.
- Revenue rose from 18.2 to 21.6 million EUR. Headcount did not change: 143 people.
- Decision: "We will not open a second site before the audit is finished."
- Version 2.10.3 of the controller never reached production; only the pilot line in Lund runs it.
- The libraries are licensed under MIT, Apache-2.0 and GPL-3.0.
"""
READINGS = """\
{"plant": "Kelby", "readings": [
  {"meter": "M-1", "date": "2026-03-02", "duration_min": 412, "used_kwh": 151900, "cost_eur": 0.34, "approved": false},
  {"meter": "M-2", "date": "2026-03-05", "duration_min": 287, "used_kwh": 98400, "cost_eur": 0.29, "approved": true}
]}
"""
STOCK = """\
mes;merluza kg;caballa kg
enero;98400;12300
febrero;104750;185600
# pesos en vivo
"""
LOG = """\
Log of the pump, 30 August 2026
2026-08-30T11:48:57Z WARN pressure 68 kPa
2026-08-30T11:56:02Z ALARM occlusion
The service desk opens at 14:00. The fee of EUR 1,870.00 is due by the end of May, plus 19 % VAT.
Two agents work full time, and sixteen voted for it. The loan runs from 8 October 2026 to 20 December 2026.
Meters without a seal are replaced, and nobody pays for it. The road to the depot was widened in spring.
"""
SOURCES = Sources(
    by_number={
        number: SourceText(number=number, title=title, text=text)
        for number, title, text in (
            (1, "offer.eml", OFFER),
            (2, "prices.csv", PRICES),
            (3, "vertrag.md", CONTRACT),
            (4, "minutes.md", MINUTES),
            (5, "readings.json", READINGS),
            (6, "stock.csv", STOCK),
            (7, "pump.log", LOG),
        )
    }
)

TRUE = [
    "The ZP-40 costs €41.80 per unit [1].",
    "Zephyr Dynamics asks 41,80 € for a unit of the ZP-40 [1].",
    "The offer of Zephyr Dynamics is valid until 2026-08-31 [1].",
    "The offer was sent on 10 July 2026 [1].",
    "The offer is valid until the end of August 2026 [1].",
    "Delivery takes about 12 working days [1].",
    "Delivery takes twelve working days [1].",
    "Shipping is not included in the offer [1].",
    "Shipping is excluded from the price [1].",
    "All pumps carry a warranty of 24 months [1].",
    "The housing withstands 1250 bar [1].",
    "The housing withstands temperatures of up to 85 °C [1].",
    "A discount of five percent was granted to 37 customers [1].",
    "Tom Rask is Head of Sales at Zephyr Dynamics [1].",
    "Three units of the ZP-40 cost 3 × 41.80 = 125.40 EUR [1].",
    "Nordwind sells the NW-1 for EUR 39.90 [2].",
    "Nordwind delivers the NW-1 within 21 days [2].",
    "Alba is EUR 12.60 dearer than Nordwind [2].",
    "Alba asks 52,50 € for the AL-9 and delivers in 5 days [2].",
    "The AL-9 of Alba is certified [2].",
    "The contract runs for 12 months [3].",
    "Die Laufzeit des Vertrags beträgt 12 Monate [3].",
    "Der Vertrag beginnt am 01.04.2026 [3].",
    "Der Preis beträgt 1250 € je Monat [3].",
    "Die Haftung für Folgeschäden ist ausgeschlossen [3].",
    "Ansprechpartnerin der Kessler GmbH ist Anna Brandt [3].",
    "The price is EUR 1,250 a month plus 19 % VAT [3].",
    "The board approved a budget of EUR 2,400,000 for the northern plant [4].",
    "Revenue grew by 3.4 million EUR to 21.6 million EUR [4].",
    "Revenue grew by about 19 % [4].",
    "Headcount stayed at 143 people [4].",
    "The board decided: “We will not open a second site before the audit is finished” [4].",
    "Version 2.10.3 of the controller never reached production [4].",
    "Only the pilot line in Lund runs version 2.10.3 [4].",
    "The libraries are licensed under MIT, Apache 2.0 and GPL-3.0 [4].",
    "The budget of the northern plant was approved on 3 March 2026 [4].",
    "More than 140 people work there [4].",
    # records: units in the names of keys and columns, converted
    "Meter M-1 ran for 6 h 52 min and used 151.9 MWh [5].",
    "Meter M-2 costs 29 cents [5].",
    "Meter M-1 was not approved [5].",
    "En enero se desembarcaron 98,4 t de merluza [6].",
    "En total son 98.400 + 104.750 = 203.150 kg de merluza [6].",
    # times of day, spans of times and dates, ends of months
    "The service desk opens at 2 p.m. [7].",
    "The alarm came 7 minutes and 5 seconds after the warning, at 11:56:02 [7].",
    "The fee is due by 31 May 2026 [7].",
    "The loan runs from 8 October to 20 December 2026, that is 73 days [7].",
    # written calculations support their result; a percentage may be a factor
    "With VAT the fee is (1,870.00 × 1.19) = EUR 2,225.30 [7].",
    "Meters without a seal are replaced [7].",
]

FALSE = [
    ("The ZP-40 costs €48.10 per unit [1].", FindingKind.NUMBER),
    ("The ZP-40 costs €418 per unit [1].", FindingKind.NUMBER),
    ("The ZP-40 costs $41.80 per unit [1].", FindingKind.NUMBER),
    ("The offer is valid until 13 August 2026 [1].", FindingKind.DATE),
    ("The offer is valid until 31 August 2027 [1].", FindingKind.DATE),
    ("The offer is valid until 31 October 2026 [1].", FindingKind.DATE),
    ("Delivery takes 12 weeks [1].", FindingKind.NUMBER),
    ("Shipping is included in the offer [1].", FindingKind.NEGATION),
    ("Only some pumps carry a two-year warranty, never spare parts [1].", None),
    ("The housing withstands 1,250 kV [1].", FindingKind.NUMBER),
    ("Halvorsen Pumps offers the ZP-40 for EUR 41.80 [1].", FindingKind.NAME),
    ("Head of Sales at Zephyr Dynamics is Tom Lindqvist [1].", FindingKind.NAME),
    ("The pump ZP-44 costs EUR 41.80 [1].", FindingKind.IDENTIFIER),
    ("A discount of 5 percentage points was granted [1].", None),
    ("Three units of the ZP-40 cost 3 × 41.80 = 135.40 EUR [1].", FindingKind.CALCULATION),
    ("Zephyr Dynamics is known for excellent service in hospitals [1].", FindingKind.UNRELATED),
    ("Nordwind sells the NW-1 for EUR 45.00 [2].", FindingKind.ELSEWHERE),
    ("Nordwind sells the NW-1 for USD 39.90 [2].", FindingKind.UNIT),
    ("Alba delivers in 21 days [2].", FindingKind.ELSEWHERE),
    ("The contract runs for 18 months [3].", FindingKind.NUMBER),
    ("Die Laufzeit beträgt zwölf Jahre [3].", FindingKind.NUMBER),
    ("Eine Haftung für Folgeschäden ist nicht ausgeschlossen [3].", FindingKind.NEGATION),
    ("Ansprechpartnerin der Kessler GmbH ist Anna Vogt [3].", FindingKind.NAME),
    ("The board approved a budget of 2.4 billion EUR [4].", FindingKind.NUMBER),
    ("Revenue grew by about 29 % [4].", FindingKind.NUMBER),
    ("The board said: “We will open a second site as soon as possible” [4].", FindingKind.QUOTATION),
    ("Version 2.10.3 of the controller reached production [4].", FindingKind.NEGATION),
    ("All lines in Lund run version 2.10.3 [4].", None),
    ("The libraries are licensed under MIT, BSD-3-Clause and GPL-3.0 [4].", FindingKind.IDENTIFIER),
    ("The contract runs for 12 months [1].", FindingKind.NUMBER),
    ("An unlimited budget of 99 million EUR was approved [3].", FindingKind.NUMBER),
    ("Meter M-1 ran for 4 h 47 min and used 151.9 MWh [5].", FindingKind.ELSEWHERE),
    ("Meter M-1 used 151.9 GWh [5].", FindingKind.NUMBER),
    ("Meter M-1 was approved on 2 March 2026 [5].", FindingKind.NEGATION),
    ("Hasta febrero se desembarcaron en la lonja 98.400 + 104.750 = 203.150 t de merluza [6].", None),
    ("The service desk opens at 4 p.m. [7].", FindingKind.NUMBER),
    ("The alarm came 9 minutes and 5 seconds after the warning, at 11:56:02 [7].", FindingKind.NUMBER),
    ("The fee is due by 30 June 2026 [7].", FindingKind.DATE),
    ("With VAT the fee is 1,870.00 × 1.19 = USD 2,225.30 [7].", FindingKind.NUMBER),
    ("Sixteen agents work full time [7].", FindingKind.ELSEWHERE),
    ("The fee is not 1,870.00 × 1.19 = EUR 2,225.30 [7].", FindingKind.NEGATION),
    ("Meters with a seal are replaced [7].", FindingKind.NEGATION),
    ("The service desk opens at 14:00, including a guided museum tour [7].", FindingKind.UNRELATED),
    ("The ZP-40 costs €41.80 per unit [9].", FindingKind.UNKNOWN_SOURCE),
    ("The ZP-40 costs €41.80 per unit.", FindingKind.UNCITED),
]


def checked(markdown: str) -> StatementCheck:
    [check] = check_text(markdown, SOURCES)
    return check


def test_the_head_of_a_table_states_nothing_however_its_columns_are_aligned():
    table = "| Product | Price | Sold |\n|:-:|--:|:-|\n| ZP-40 | 41.80 EUR [1] | - |\n| - | - | - |\n"
    assert [check.statement.text for check in check_text(table, SOURCES)] == ["ZP-40 | 41.80 EUR | -"]


@pytest.mark.parametrize("statement", TRUE)
def test_what_the_sources_say_in_another_format_is_not_flagged(statement):
    check = checked(statement)
    assert check.verdict is not StatementVerdict.DOUBTFUL, check.findings


@pytest.mark.parametrize(("statement", "kind"), FALSE)
def test_what_the_sources_do_not_say_is_found(statement, kind):
    check = checked(statement)
    assert check.verdict is StatementVerdict.DOUBTFUL
    assert kind is None or kind in {finding.kind for finding in check.findings}


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200c", "\u2060", "\u00ad", "\u034f", "\u0336", "\ufe0f", "\u202e", "\U000e0041"]
)
@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        (
            "The board approved a budget of 2.4{} million EUR for the northern plant [4].",
            StatementVerdict.VERIFIED,
        ),
        (
            "The board approved a budget of 2.4{} billion EUR for the northern plant [4].",
            StatementVerdict.DOUBTFUL,
        ),
        (
            "The board approved a budget of 2.4 bil{}lion EUR for the northern plant [4].",
            StatementVerdict.DOUBTFUL,
        ),
        ("Delivery takes 12 we{}eks [1].", StatementVerdict.DOUBTFUL),
        ("Eine Haftung für Folgeschäden ist ni{}cht ausgeschlossen [3].", StatementVerdict.DOUBTFUL),
    ],
)
def test_what_nobody_sees_changes_no_verdict(mark, statement, verdict):
    assert checked(statement.format(mark)).verdict is verdict


@pytest.mark.parametrize(
    ("amount", "verdict"),
    [
        ("２.４ million", StatementVerdict.VERIFIED),
        ("2.4-million", StatementVerdict.VERIFIED),
        ("2.4 bіllion", StatementVerdict.DOUBTFUL),  # with a Cyrillic letter
        ("2.4 ｂｉｌｌｉｏｎ", StatementVerdict.DOUBTFUL),
        ("2.4 𝗯𝗶𝗹𝗹𝗶𝗼𝗻", StatementVerdict.DOUBTFUL),
        ("2.4 &#98;illion", StatementVerdict.DOUBTFUL),
        ("2.4&nbsp;billion", StatementVerdict.DOUBTFUL),
        ("2.4-billion", StatementVerdict.DOUBTFUL),
    ],
)
def test_letters_are_those_that_a_reader_sees(amount, verdict):
    assert (
        checked(f"The board approved a budget of {amount} EUR for the northern plant [4].").verdict is verdict
    )


@pytest.mark.parametrize(
    ("statement", "location"),
    [
        ("Delivery takes 12 working days [1].", "line 8"),
        ("Shipping is not included in the offer [1].", "line 8"),
        ("All pumps carry a two-year warranty [1].", "lines 8–9"),
        ("Alba asks 52,50 € for the AL-9 [2].", "row 3, line 4"),
        ("Die Kündigungsfrist beträgt drei Monate [3].", "lines 3–4, under Rahmenvertrag"),
        ("Meter M-2 used 98 400 kWh on 5 March 2026 [5].", "record 2, under readings"),
    ],
)
def test_the_passage_that_carries_a_statement_has_its_place_in_the_source(statement, location):
    passage = checked(statement).passages[0]
    assert passage.location == location, passage


FEES = Sources(
    by_number={
        1: SourceText(
            number=1,
            title="Fees",
            text="The annual fee is 20 EUR per member. Two thirds of the members are women. It began at 9:00.",
        )
    }
)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("**Fees**: The annual fee is 20 EUR per member. [1]", "verified"),
        ("Since 1 May 2031: The annual fee is 20 EUR per member. [1]", "doubtful"),
        ("For 45 guests: The annual fee is 20 EUR per member. [1]", "doubtful"),
        ("Two thirds of the members are women. [1]", "verified"),
        ("One third of the members are women. [1]", "doubtful"),
        (f"It took {'9' * 35} minutes. [1]", "doubtful"),
    ],
)
def test_a_label_with_a_figure_is_part_of_the_statement_and_shares_and_huge_numbers_are_read(
    statement: str, verdict: str
) -> None:
    assert [check.verdict for check in check_text(statement, FEES)] == [verdict]


ATTENDANCE = Sources(
    by_number={
        1: SourceText(
            number=1,
            title="minutes.md",
            text="Present: Jana Weber, Tom Fischer, Ines Roth. Absent: Paul Lang.\n\nThe lease is signed by Paul Lang.",
        ),
        2: SourceText(number=2, title="odd.csv", text='name;amount\nA;1,5\n"B;2,5\nC;3,0\n'),
    }
)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("Undecided – Absent: Paul Lang. [1]", StatementVerdict.VERIFIED),
        ("Undecided – Present: Jana Weber, Tom Fischer, Ines Roth. [1]", StatementVerdict.VERIFIED),
        ("Undecided – name: B; 2,5 C; 3,0 [2]", StatementVerdict.VERIFIED),
        ("Undecided – Present: Paul Lang. [1]", StatementVerdict.DOUBTFUL),
        ("Never – The lease is signed by Paul Lang. [1]", StatementVerdict.DOUBTFUL),
    ],
)
def test_a_whole_sentence_that_is_quoted_behind_a_mark_is_counted_and_verified(statement, verdict):
    [check] = check_text(f"- {statement}", ATTENDANCE)
    assert check.verdict is verdict

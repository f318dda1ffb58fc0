"""Calculations, times, names and negations in the forms in which authors write them."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import FindingKind, StatementVerdict

ACCOUNTS = """\
# Allotments, 15 March 2026

41 plots of 10 rods cost £66 a year each, 52 plots of 5 rods cost £36 a year each.
Of 198 tenants 156 want more water taps. Nausea was reported by 9% of them and 3% of the others.
The valve lifts at 197 psi; the working pressure is 180 psi.
The alarm was raised at 02:16, the engine arrived at 02:25. The telephone rang at 14:50.
The work takes from Wednesday 16 to Sunday 20 September 2026.
The courier delivers 820 frames, at £11.50 a frame.
"""
MINUTES = """\
Minutes of the council of Wexmouth, 4 June 2026

Present: Rosa Villar (headmistress), Otto Brandis (treasurer), Mara Linde (secretary).

- The headmistress asks for eight hours a week of a second teacher.
- Otto wants to keep nine classes.
- The repair of the roof was put off.
"""
LETTER = """\
Dear members,

we can collect on Sundays in July for a surcharge of 45 euros a trip. The lamp has not been repaired since 2024.

Kind regards,
Hilario Montesa
"""
LOG = """\
2026-08-27T06:02:11Z INFO  power on, firmware 4.2.6, self-test passed
2026-08-30T11:48:57Z WARN  pressure 68 kPa, threshold 60 kPa
"""
OFFER = """\
Angebot der Werkstatt vom 4. Mai 2026

Frau Warnholz wünscht einen Induktionsherd anstelle des Gasherds; der Mehrpreis beträgt 2.900 EUR netto.
"""
SOURCES = Sources(
    by_number={
        number: SourceText(number=number, title=title, text=text)
        for number, title, text in (
            (1, "Accounts", ACCOUNTS),
            (2, "Minutes", MINUTES),
            (3, "Letter", LETTER),
            (4, "Log", LOG),
            (5, "Angebot", OFFER),
        )
    }
)


@pytest.mark.parametrize(
    "statement",
    [
        "The rents bring 41 × £66 + 52 × £36 = £2,706 + £1,872 = £4,578 [1].",
        "The engine arrived nine minutes after the alarm (02:25 − 02:16) [1].",
        "Nearly 79 % (156 of 198) want more water taps [1].",
        "Nausea was three times as frequent (9 % against 3 %) [1].",
        "The valve lifts at 197 psi, which is 17 psi above the working pressure of 180 psi [1].",
        "The telephone rang at ten to three [1].",
        "The work takes five days, from 16 to 20 September 2026 [1].",
        "The frames cost £9,430 (820 frames at £11.50) [1].",
        "Rosa Villar asks for eight hours a week of a second teacher [2].",
        "Montesa can collect on Sundays in July for a surcharge of 45 euros [3].",
        "Der Induktionsherd, den Warnholz anstelle von Gas möchte, kostet netto 2.900 EUR mehr [5].",
        "Otto Brandis, not Mara Linde, wants to keep nine classes [2].",
    ],
)
def test_another_form_of_what_the_source_says_is_not_flagged(statement: str) -> None:
    [check] = check_text(statement, SOURCES)
    assert check.verdict is not StatementVerdict.DOUBTFUL, check.findings


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("The rents bring 41 × £66 + 52 × £36 = £2,706 + £1,872 = £4,758 [1].", FindingKind.CALCULATION),
        ("The engine arrived twelve minutes after the alarm (02:25 − 02:16) [1].", FindingKind.CALCULATION),
        ("Nearly 87 % (156 of 198) want more water taps [1].", FindingKind.CALCULATION),
        ("Nausea was five times as frequent (9 % against 3 %) [1].", FindingKind.CALCULATION),
        ("The telephone rang at ten past three [1].", FindingKind.NUMBER),
        ("The frames cost £9,730 (820 frames at £11.50) [1].", FindingKind.NUMBER),
        ("Mara Linde wants to keep nine classes [2].", FindingKind.ELSEWHERE),
        ("Wray's surcharge for Sundays in July is 45 euros a trip [3].", FindingKind.NAME),
        ("Der Induktionsherd, den Wray anstelle von Gas möchte, kostet netto 2.900 EUR mehr [5].", FindingKind.NAME),
        ("On 30 August 2026 the pressure was not 68 kPa [4].", FindingKind.NEGATION),
        ("The lamp has been repaired since 2024 [3].", FindingKind.NEGATION),
    ],
)  # fmt: skip
def test_a_fault_in_such_a_form_is_found(statement: str, kind: FindingKind) -> None:
    [check] = check_text(statement, SOURCES)
    assert kind in {finding.kind for finding in check.findings}, check.verdict


def test_those_who_are_named_in_one_list_do_not_stand_for_each_other() -> None:
    assert "brandis" not in SOURCES.aliases.get("linde", ())
    assert "otto" in SOURCES.aliases["brandis"]
    assert "headmistress" in SOURCES.aliases["villar"]


LANDINGS = """\
| slip | Q1 2026 | Q2 2026 | Q3 2026 |
|---|---|---|---|
| north | 40 t | 42 t | 51 t |
| south | 30 t | 33 t | 36 t |
"""
OBJECTIONS = """\
The board looks back. In Q1 2026 it raised 12. In Q2 2026 it raised 15 objections. In Q3 2026 there was only one.
"""
RACES = "Race;Winner;Time\nHalf marathon;Tilda;1:19:42\nFun run;Joe;0:38:10\n"


def verdict_of(statement: str, source: str) -> StatementVerdict:
    [check] = check_text(
        f"{statement} [1].", Sources(by_number={1: SourceText(number=1, title="", text=source)})
    )
    return check.verdict


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        (
            "The failover was complete at 07:31: 1,204 writes were lost",
            "07:31 failover complete, 1,204 writes lost",
        ),
        (
            "The estimate of the council is 50,000 + 16,000 = £66,000",
            "Estimate of the council: lot 1 £50,000, lot 2 £16,000.",
        ),
        (
            "Die Aufnahmegebühr entfällt ab dem 1.4.",
            "Die Aufnahmegebühr entfällt ab 1. April für alle neuen Mitglieder.",
        ),
        ("Der Hof ist an fünf Tagen geöffnet", "Betrieb;Öffnungstage;Pacht\nHof;5;700\nMühle;6;900"),
        (
            "Se retiraron 11 envases de la nevera",
            "Se retiraron once envases de la nevera, y no se repararon.",
        ),
        ("The tank holds 1.5 m³", "The tank in the yard holds 1,500 litres."),
        ("Kurs: 2611; Name: Anke; Bezahlt: nein", "Kurs;Name;Bezahlt\n2611;Anke;nein\n2612;Bert;ja"),
        ("Undecided – Wer früh zurücktritt, zahlt nichts", "Wer früh zurücktritt, zahlt nichts."),
        ("The line delivers 3 MWh", "The line delivers 3,000 kilowatt-hours."),
        ("La ligne fournit 3.000 kilowatt-heures", "La ligne fournit 3 mégawattheures."),
        ("In Q2 2026 the north slip brought 42 t", LANDINGS),
        ("The board raised 15 objections in the second quarter of 2026", OBJECTIONS),
        ("Tilda won the half marathon in 1 h 19 min", RACES),
        ("Tilda won the half marathon in 80 minutes", RACES),
        ("The plate measures 60 × 90 cm", "The plate is made of steel and measures 60 by 90 cm."),
    ],
)
def test_forms_of_one_fact_agree(statement: str, source: str) -> None:
    assert verdict_of(statement, source) is not StatementVerdict.DOUBTFUL


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("Each further evening of the year costs £250", "Each further evening of the year costs €250."),
        (
            "Das wären 12.600 × 0,97 = 12.333 €",
            "Wir bieten einen Festpreis von 12.600 €, abzüglich 3 % Nachlass.",
        ),
        (
            "She projects 99.84 % and offers a credit of 100 %",
            "The projection is 99.84 %, which is a credit of 10 %.",
        ),
        (
            "The vaccine is now kept in fridge 10",
            "Fridge 1 is full. The vaccine is in fridge 2 until 10 May.",
        ),
        ("Name: Anke; Bezahlt: ja", "Kurs;Name;Bezahlt\n2611;Anke;nein\n2612;Bert;ja"),
        ("In Q3 2026 the north slip brought 42 t", LANDINGS),
        ("In the third quarter of 2026 the board raised 15 objections", OBJECTIONS),
        ("The tank holds 1,500 ml", "The tank in the yard holds 1,500 l."),
        ("The pump stops after 14 months", "part,delay_weeks\npump,14\nvalve,17\nThe months are counted."),
        ("The pump stops after 14 calendar days", "part,delay in working days\npump,14\nvalve,17"),
        ("Tilda won the half marathon in 1 h 24 min", RACES),
        ("Tilda won the half marathon in 38 minutes", RACES),
        ("The bottle holds 75 centiliters", "The bottle in the box holds 75 milliliters."),
        ("L'usine ouvre au quatrième trimestre 2026", "L'usine ouvre au troisième trimestre 2026."),
        (
            "The reserve pump was moved near M. Holmquist",
            "The reserve pump was moved near M. Ferrand on Monday.",
        ),
    ],
)
def test_another_fact_in_a_like_form_is_flagged(statement: str, source: str) -> None:
    assert verdict_of(statement, source) is StatementVerdict.DOUBTFUL


CONTRACT = """\
Licence between Greywether Press Ltd, 5 Cloth Court, Norwich (the Proprietor) and Editions Marcellin SARL, Lyon (the Publisher)

1. The Proprietor grants the right to publish the work in French, worldwide except Canada.
2. The Publisher pays an advance of EUR 7,000.
3. Film, audio and merchandising rights are reserved to the Proprietor.
4. The Publisher sends six copies to the Proprietor.
5. The Proprietor may look into the accounts of the Publisher once a year.
"""
LETTER_OF_THE_TOWN = """\
Rathaus Wexheim, den 18. November 2025

An die Untere Wasserbehörde

Die Pumpe am Weiher lief vom 2. Oktober an ohne Aufsicht. Der Kassenwart lehnt einen Neubau ab.
Anwesend waren Mechthild Ossig (Kasse) und Pascal Eidinger (Technik).
"""
PRICES = """\
articulo;proveedor;precio_EUR;plazo_entrega_dias;caudal_m3
Sedaral;Vetalmar;41,20;3;180
Sedaral;Farmapet;39,10;5;75
"""


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("Greywether keeps the film, audio and merchandising rights [1].", StatementVerdict.VERIFIED),
        ("Am 18. November 2025 lehnte der Kassenwart einen Neubau ab [2].", StatementVerdict.VERIFIED),
        ("| Sedaral | Farmapet | 39,10 € | 5 días | 75 m³ | [3] |", StatementVerdict.VERIFIED),
        ("| Sedaral | Farmapet | 39,10 € | 5 meses | 75 m³ | [3] |", StatementVerdict.DOUBTFUL),
    ],
)
def test_parties_of_contracts_dates_of_letters_and_units_without_accents(
    statement: str, verdict: StatementVerdict
) -> None:
    sources = Sources(
        by_number={
            number: SourceText(number=number, title="", text=text)
            for number, text in enumerate((CONTRACT, LETTER_OF_THE_TOWN, PRICES), 1)
        }
    )
    [check] = check_text(statement, sources)
    assert check.verdict is verdict, check.findings

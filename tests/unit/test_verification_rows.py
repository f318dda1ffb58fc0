"""Rows of tables that a statement names: its numbers stand in these, and not in other rows alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import FindingKind, StatementVerdict

VISITS = """\
bird,last_year,this_year,retraps
Robin,412,538,96
Goldcrest,655,301,22
Wren,187,187,41
Total,1254,1026,159
"""
PLOTS = """\
plot;tenant;rods;since
37;Ruth Ainley;5;2014
38;Carl Mendes;10;2020
39;Owen Strand;10;2009
"""
PAYMENTS = """\
number,payer,paid_on
A-2024,Odell,2025-11-02
A-2025,Tamsin,2026-05-03
A-2026,Quist,2026-07-19
"""
SOURCES = Sources(
    by_number={
        number: SourceText(number=number, title=title, text=text)
        for number, title, text in ((1, "Birds", VISITS), (2, "Plots", PLOTS), (3, "Payments", PAYMENTS))
    }
)
WARRANTIES = """\
supplier;price;warranty_years
Brandt;8990;5
Nordwind;9120;7
Soleil;7980;3
Kranz;9350;5
Vogt;8700;4
"""
NAMES = ("Alder", "Birken", "Corvin", "Dorset", "Elster")


def elsewhere(statement: str, sources: Sources = SOURCES) -> set[str]:
    [check] = check_text(statement, sources)
    return {finding.text for finding in check.findings if finding.kind is FindingKind.ELSEWHERE}


@pytest.mark.parametrize(
    "statement",
    [
        "Robins gained 126 birds (538 − 412) [1].",
        "Goldcrests fell from 655 to 301, whereas Robins rose from 412 to 538 [1].",
        "Robins were 538 of 1,026 birds, that is 52 % [1].",
        "Robins and Goldcrests together came to 538 + 301 = 839 [1].",
        "Carl Mendes, tenant of plot 38 since 2020, has 10 rods [2].",
        "Mendes has had his plot since 2020 [2].",
        "Tamsin paid on 2026-05-03 [3].",
        "Tamsin paid on 3 May 2026 [3].",
    ],
)
def test_numbers_of_the_rows_that_a_statement_names_are_not_flagged(statement: str) -> None:
    assert elsewhere(statement) == set()


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("Wrens gained 126 birds (538 − 412) [1].", "538"),
        ("Goldcrests rose to 538 birds [1].", "538"),
        ("Ruth Ainley, tenant of plot 38, has 5 rods [2].", "38"),
        ("Strand has had his plot since 2020 [2].", "2020"),
        ("Payment 2026 was made on 2026-05-03 [3].", "A-2026"),
    ],
)
def test_numbers_of_other_rows_are_found(statement: str, number: str) -> None:
    assert number in elsewhere(statement)


@settings(max_examples=30, deadline=None)
@given(
    counts=st.lists(st.integers(min_value=201, max_value=9_999), min_size=10, max_size=10, unique=True),
    rows=st.lists(st.integers(min_value=0, max_value=4), min_size=2, max_size=2, unique=True),
)
def test_the_rows_of_a_comparison_carry_its_numbers_and_no_other_row_does(
    counts: list[int], rows: list[int]
) -> None:
    table = "depot,spring,autumn\n" + "\n".join(
        f"{name},{counts[2 * at]},{counts[2 * at + 1]}" for at, name in enumerate(NAMES)
    )
    sources = Sources(by_number={1: SourceText(number=1, title="Stock", text=table)})
    first, second = rows
    other = next(at for at in range(5) if at not in rows)
    true = f"{NAMES[first]} held {counts[2 * first]} in spring and {NAMES[second]} {counts[2 * second]} [1]."
    false = true.replace(NAMES[second], NAMES[other])
    assert elsewhere(true, sources) == set()
    assert str(counts[2 * second]) in elsewhere(false, sources)
    [check] = check_text(false, sources)
    assert check.verdict is StatementVerdict.DOUBTFUL


CLAIMS = """\
Claim: KL-301
Carrier: Merl Road
Amount: USD 7,260
Status: settled on 2026-08-21

Claim: KL-302
Carrier: Astor Air
Amount: USD 2,945
Status: refused
"""
COURTS = """\
# Report on the courts

## Court 1
The surface is 14 mm thick. The lines are loose.

## Court 2
The surface is 22 mm thick. It takes two days to dry.
"""
QUOTED = """\
name,employer,years,salary
Noor Sadik,Brightwell,6,"€68,000"
Callum Reid,Fenwick,9,"€74,500"
"""
GLAZES = """\
model;maker;litres;price_eur
Vesta 120;Albero;120;4350
Vesta 200;Albero;200;6180
Kalor X5;Termo;190;5890
"""
RECORDS = Sources(
    by_number={
        number: SourceText(number=number, title="", text=text)
        for number, text in enumerate((CLAIMS, COURTS, QUOTED, GLAZES), 1)
    }
)


@pytest.mark.parametrize(
    "statement",
    [
        "KL-301 was settled on 21 August 2026 [1].",
        "Court 2 takes two days to dry, and its surface is 22 mm thick [2].",
        "Noor Sadik works for Brightwell and expects €68,000 [3].",
        "| Vesta 200 | 200 l | €6,180 | [4] |",
        "The Vesta 200 costs €290 more than the Kalor X5 (6,180 − 5,890) [4].",
    ],
)
def test_what_a_record_states_is_not_flagged(statement: str) -> None:
    assert elsewhere(statement, RECORDS) == set()


@pytest.mark.parametrize(
    ("statement", "mention"),
    [
        ("KL-302 was settled on 21 August 2026 [1].", "KL-302"),
        ("Court 1 takes two days to dry after rain [2].", "two days"),
        ("Callum Reid expects a salary of €68,000 [3].", "€68,000"),
        ("| Vesta 200 | 120 l | €6,180 | [4] |", "120 l"),
        ("The Vesta 200, made by Termo, has 200 l and costs €6,180 [4].", "Termo"),
    ],
)
def test_the_name_of_another_record_is_flagged(statement: str, mention: str) -> None:
    assert mention in elsewhere(statement, RECORDS)


@pytest.mark.parametrize(("counted", "flagged"), [("3 rows", set()), ("4 rows", {"4"}), ("3", set())])
def test_a_number_may_count_the_records_that_are_listed_behind_it(counted: str, flagged: set[str]) -> None:
    sources = Sources(by_number={1: SourceText(number=1, title="Prices", text=WARRANTIES)})
    assert elsewhere(f"Count: {counted} (Brandt, Nordwind, Kranz) [1]", sources) == flagged


PARTS = """\
part,name,aircraft,book,counted
BX-1107,Brake assembly,A320,14,13
FN-2051,Fan spacer,B737,40,34
HY-3315,Hydraulic filter,ATR 72,75,82
"""
SERVICES = """\
Feature;Salario;Bulletia;PaieNova
Yearly_fee_EUR;8640;7920;6950
Term_months;36;24;12
Delivery_weeks;10;14;8
"""
INCIDENTS = """\
number;date;machine;fault;minutes
S-206;2025-10-06;Lathe DZ7;Spindle too hot;310
S-207;2025-10-29;Robot R14;Wire feed blocked;550
S-208;2025-11-03;Press P3;Pressure too low;145
"""
NOTE = "We compared Salario, Bulletia and PaieNova, and asked Bulletia for a lower fee.\n"
COMPARED = Sources(
    by_number={
        number: SourceText(number=number, title="", text=text)
        for number, text in enumerate((PARTS, SERVICES, INCIDENTS, NOTE), 1)
    }
)


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("| BX-1107 | Brake assembly | A320 | book 14 | counted 13 | [1] |", None),
        ("| BX-1107 | Hydraulic filter | A320 | book 14 | counted 13 | [1] |", "Hydraulic filter"),
        ("| BX-1107 | Brake assembly | ATR 72 | book 14 | counted 13 | [1] |", "ATR 72"),
        ("| Bulletia | €7,920 a year | 24 months | [2] |", None),
        ("| PaieNova | €7,920 a year | 24 months | [2] |", "€7,920"),
        ("Bulletia costs €7,920 a year [2].", None),
        ("PaieNova costs €7,920 a year [2].", "€7,920"),
        ("Salario and Bulletia cost €8,640 and €7,920 a year [2].", None),
        ("Robot R14 stood still for 550 minutes on 29 October 2025, as its wire feed was blocked [3].", None),
        ("DZ7 stood still for 550 minutes on 29 October 2025, as its wire feed was blocked [3].", "DZ7"),
    ],
)
def test_the_cells_of_a_row_belong_to_one_record_and_a_number_to_the_column_of_its_name(
    statement: str, wrong: str | None
) -> None:
    found = elsewhere(statement, COMPARED)
    assert found == set() if wrong is None else wrong in found


@pytest.mark.parametrize(
    ("other", "statement", "is_found"),
    [
        ("The budget is 90,000 euros.", "| Cibaria | 5.35 € | [1] |", False),
        ("The budget is 90,000 euros.", "| Cibaria | $5.35 | [1] |", True),
        ("The budget is 90,000 euros, about $98,000.", "| Cibaria | 5.35 € | [1] |", True),
    ],
)
def test_a_table_without_a_currency_has_the_only_one_of_the_sources(
    other: str, statement: str, is_found: bool
) -> None:
    texts = ("| Firm | Price |\n|---|---|\n| Cibaria | 5.35 |\n| Ristoral | 5.28 |", other)
    sources = Sources(
        by_number={at: SourceText(number=at, title="", text=text) for at, text in enumerate(texts, 1)}
    )
    findings = [finding for check in check_text(statement, sources) for finding in check.findings]
    assert bool(findings) == is_found


@pytest.mark.parametrize("number", [1_007, 1_333, 1_598])
def test_a_row_of_many_is_read_though_others_have_its_numbers(number: int) -> None:
    woods = ("cedar", "birch", "maple", "walnut", "ash", "larch", "pine")
    rows = [f"{woods[at % 7]} board {at};{17 * at};{1 + at % 2}" for at in range(900, 1_600)]
    sources = Sources(
        by_number={1: SourceText(number=1, title="", text="\n".join(["item;price_eur;days", *rows]))}
    )
    item, price, days = rows[number - 900].split(";")
    true = f"The {item} costs €{price} and is delivered within {days} days [1]."
    assert elsewhere(true, sources) == set()
    assert [found for check in check_text(true, sources) for found in check.findings] == []
    false = f"The {item} costs €{price} and is delivered within {3 - int(days)} days [1]."
    assert [found for check in check_text(false, sources) for found in check.findings]


GERMAN_METERS = """\
Die Zähler des Werks werden an jedem Monatsende abgelesen und in der Liste hier geführt.

| Halle | Verbrauch (kWh) | Seit |
|---|---|---|
| Nord | 1.240,5 | 2019 |
| Süd | 433 | 2020 |
"""


def verdict_on_meters(statement: str) -> StatementVerdict:
    source = SourceText(number=1, title="Zähler", text=GERMAN_METERS)
    text = f"# The meters of the plant and what they were read to have used\n\n- {statement} [1]\n"
    *_, check = check_text(text, Sources(by_number={1: source}))
    return check.verdict


@pytest.mark.parametrize(
    "statement",
    [
        "Halle: Nord; Verbrauch (kWh): 1.240,5; Seit: 2019",
        "**Zähler**: Undecided – Halle: Süd; Verbrauch (kWh): 433",
        "Sum of “Verbrauch (kWh)”: 1.240,5 + 433 = 1673,5",
        "**Zähler**: Sum of “Verbrauch (kWh)”: 1.240,5 + 433 = 1673,5",
    ],
)
def test_the_values_of_a_row_and_their_sum_are_verified_in_whatever_language_the_text_is(statement: str):
    assert verdict_on_meters(statement) is StatementVerdict.VERIFIED


@pytest.mark.parametrize(
    "statement",
    [
        "Halle: Nord; Verbrauch (kWh): 433",
        "Halle: Nord; Verbrauch (kWh): 1.240,5; Seit: 2020",
        "Sum of “Verbrauch (kWh)”: 1.240,5 + 433 = 1763,5",
        "Sum of “Verbrauch (kWh)”: 1.240,5 + 2019 = 3259,5",
        "It is not the sum of “Verbrauch (kWh)”: 1.240,5 + 433 = 1673,5",
    ],
)
def test_values_of_several_rows_and_a_wrong_sum_are_not(statement: str):
    assert verdict_on_meters(statement) is not StatementVerdict.VERIFIED


OFFERS = """\
offer;price;delivery
Highland Heat;£8,200;6 weeks
North Boilers;£9,100;4 weeks
Clyde Gas;£8,900;3 weeks
"""
LOTS = "offer;pack;price\nAlder;10 kg;£30\nBirken;25 kg;£60\n"
TIED = "offer;price;delivery\nAlder;£30;2 weeks\nBirken;£30;3 weeks\n"


@pytest.mark.parametrize(
    ("statement", "table", "verdict"),
    [
        ("Highland Heat is the cheapest offer [1].", OFFERS, StatementVerdict.VERIFIED),
        ("North Boilers is the most expensive offer [1].", OFFERS, StatementVerdict.VERIFIED),
        ("North Boilers is the cheapest offer [1].", OFFERS, StatementVerdict.DOUBTFUL),
        ("Clyde Gas is the most expensive offer [1].", OFFERS, StatementVerdict.DOUBTFUL),
        ("Of those from abroad, Clyde Gas is the cheapest offer [1].", OFFERS, StatementVerdict.UNCHECKED),
        ("Alder is the cheapest offer [1].", LOTS, StatementVerdict.UNCHECKED),
        ("Birken is the cheapest offer [1].", LOTS, StatementVerdict.UNCHECKED),
        ("Birken is the cheapest offer [1].", TIED, StatementVerdict.UNCHECKED),
        (
            "Birken is the cheapest offer [1].",
            f"{LOTS}Birken is the cheapest offer.",
            StatementVerdict.VERIFIED,
        ),
    ],
)
def test_the_cheapest_is_the_row_with_the_lowest_price_where_one_column_decides_it(
    statement: str, table: str, verdict: StatementVerdict
) -> None:
    [check] = check_text(statement, Sources(by_number={1: SourceText(number=1, title="", text=table)}))
    assert check.verdict is verdict

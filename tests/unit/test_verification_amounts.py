"""Amounts of a statement: whose number it is, and in which unit."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import StatementVerdict

LOANS = """\
no;lender;piece;value;currency;size
3;Dunmarrow House Trust;Fisherman's quilt;18500;GBP;205 x 180
4;Kaldvik Folk Museum;Coverlet with ships;32000;EUR;175 x 140
"""
OFFER = """\
From: Korvus Tankworks
Offer 3381 of 12 March 2026
Two tanks, net EUR 10,935, held until 30 April.
"""
FAIR = """\
The two tanks use 38,000 kWh.
We have 18,400 members. In our last survey 62 % said they had spent ten nights in other harbours.
Many of them use an app: Ankerplatz, from the Netherlands.
"""
SHARES = """\
Asking price: GBP 540,000 for all shares, of which USD 75 are fees.
The clinics have 6,120 active patient files; two thirds are kept in Ashcombe.
Rye flour costs EUR 502 a tonne now and EUR 517 from January. The spacers cost EUR 410 each.
"""
PANELS = """\
material;density kg/m3;strength kPa;water uptake %;samples
Oat husk;134;107;14.6;940
Hemp;151;129;12.8;1015
Beech;171;148;11.2;1210
"""
BRANCHES = "Filiale;Umsatz_2025_TEUR;Mitarbeiter\nKempten;1.315;14\nLindau;790;9\n"
CORK = "supplier;product;unit_price_eur;min_order\nNordkork;stopper;0.38;5000\nSobreira;stopper;0.34;20000\n"
PENCE = "Energie kostet laut Tarif 10 ct je Minute.\nDie Gebühr beträgt 3 Euro.\n"
TEXTS = (LOANS, FAIR, PANELS, PENCE, SHARES, OFFER, BRANCHES, CORK)
SOURCES = Sources(
    by_number={at: SourceText(number=at, title="", text=text) for at, text in enumerate(TEXTS, 1)}
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Fisherman's quilt of the Dunmarrow House Trust is worth £18,500 [1].", ("£", "€")),
        ("Coverlet with ships is worth €32,000 [1].", ("€", "£")),
        ("Two tanks use 76,000 kWh (2 × 38,000) [2].", ("76,000 kWh", "76,000 MWh")),
        ("Korvus Tankworks wants €10,935 net and holds its price until 30 April [6].", ("10,935", "3381")),
        ("Roughly 62 % of the members use an app from the Netherlands [2].", ("62 %", "18,400 %")),
        ("Two thirds of the 6,120 active patient files are kept in Ashcombe [5].", ("6,120", "540,000")),
        ("Rye flour goes up from €502 to €517 a tonne [5].", ("502", "480")),
        ("The missing spacers cost 6 × 410 = €2,460 [5].", ("€", "£")),
        ("At €410 each, the spacers cost €34 a month (410 / 12) [5].", ("At €", "At $")),
        ("| Beech | 171 kg/m³ | 148 kPa | 11.2 % water uptake | [3] |", ("11.2", "12.3")),
        ("Rye flour costs €502 a tonne now [5].", ("€502", "€502 (million)")),
        ("Rye flour costs €502 a tonne now [5].", ("€502", "€502 'thousand'")),
        ("20,000 stoppers of Sobreira cost €6,800 (20,000 × 0.34) [8].", ("€6,800", "€7,600")),
        ("Beide Filialen zusammen: 2.105 T€ im Jahr 2025 (1.315 + 790) [7].", ("2.105", "2.150")),
        ("Lindau setzte 2025 mit neun Mitarbeitern 790.000 € um [7].", ("790.000", "970.000")),
        ("Energie kostet 0,10 € je Minute [4].", ("€", "£")),
    ],
)
def test_an_amount_is_found_that_the_sources_have_otherwise(right: str, wrong: tuple[str, str]) -> None:
    [true] = check_text(right, SOURCES)
    [false] = check_text(right.replace(*wrong), SOURCES)
    assert true.findings == ()
    assert false.verdict is StatementVerdict.DOUBTFUL

"""A founder who writes German, French, Spanish, Italian, Dutch or Portuguese: questions over documents of that language."""

from __future__ import annotations

import pytest

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.records import Cell
from frasier.llm import CheckedStatement, Passage
from frasier.llm.conversation_inputs import AskInputs
from frasier.llm.prompt_inputs import ColumnToFill, ExtractInputs, PlanInputs
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.extract import extract
from frasier.llm.providers.rehearsal.found_answers import Finder
from frasier.llm.providers.rehearsal.mission_answer import answer_from_evidence
from frasier.llm.providers.rehearsal.named_columns import likeness
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.table_plan import data_table
from support.rehearsed_mission import final_document

PRICES = {
    "de": "Artikel;Preis;Lieferdatum\nBohnen;14,90 €;03.03.2026\nMilch;1,85 €;17.02.2026\nBecher;62,00 €;24.03.2026\n",
    "fr": "Article;Prix;Date de livraison\nGrains;14,90 €;03/03/2026\nLait;1,85 €;17/02/2026\nGobelets;62,00 €;24/03/2026\n",
    "es": "Artículo;Precio;Fecha de entrega\nGrano;14,90 €;03/03/2026\nLeche;1,85 €;17/02/2026\nVasos;62,00 €;24/03/2026\n",
    "it": "Articolo;Prezzo;Data di consegna\nChicchi;14,90 €;03/03/2026\nLatte;1,85 €;17/02/2026\nTazze;62,00 €;24/03/2026\n",
    "nl": "Artikel;Prijs;Leverdatum\nBonen;€ 14,90;03-03-2026\nMelk;€ 1,85;17-02-2026\nBekers;€ 62,00;24-03-2026\n",
    "pt": "Artigo;Preço;Data de entrega\nGrãos;14,90 €;03/03/2026\nLeite;1,85 €;17/02/2026\nCopos;62,00 €;24/03/2026\n",
}
INVOICES = {
    "de": "Rechnung;Betrag;Bezahlt\nR-1;596;ja\nR-2;222;ja\nR-3;186;nein\n",
    "fr": "Facture;Montant;Payée\nR-1;596;oui\nR-2;222;oui\nR-3;186;non\n",
    "es": "Factura;Importe;Pagada\nR-1;596;sí\nR-2;222;sí\nR-3;186;no\n",
    "it": "Fattura;Importo;Pagata\nR-1;596;sì\nR-2;222;sì\nR-3;186;no\n",
    "nl": "Facturen;Bedrag;Betaald\nR-1;596;ja\nR-2;222;ja\nR-3;186;nee\n",
    "pt": "Fatura;Valor;Paga\nR-1;596;sim\nR-2;222;sim\nR-3;186;não\n",
}
ABOVE = "Count: 2 rows"
UNPAID = "Count: one row (R-3)"
SUM = "596 + 222 + 186 = 1004"
OF_ROWS = [
    ("de", "Welcher Artikel ist am teuersten?", "Highest “Preis”: 62,00 € (Becher)"),
    ("fr", "Quel article est le plus cher ?", "Highest “Prix”: 62,00 € (Gobelets)"),
    ("es", "¿Cuál es el artículo más caro?", "Highest “Precio”: 62,00 € (Vasos)"),
    ("it", "Qual è l'articolo più caro?", "Highest “Prezzo”: 62,00 € (Tazze)"),
    ("nl", "Wat is de hoogste prijs?", "Highest “Prijs”: € 62,00 (Bekers)"),
    ("pt", "Qual é o preço mais alto?", "Highest “Preço”: 62,00 € (Copos)"),
    ("es", "¿Cuál es la primera fecha de entrega?", "Earliest “Fecha de entrega”: 17/02/2026 (Leche)"),
    ("it", "Qual è la prima data di consegna?", "Earliest “Data di consegna”: 17/02/2026 (Latte)"),
    ("pt", "Qual é a primeira data de entrega?", "Earliest “Data de entrega”: 17/02/2026 (Leite)"),
    ("de", "Wie viele Artikel kosten mehr als 14 €?", ABOVE),
    ("fr", "Combien d'articles coûtent plus de 14 € ?", ABOVE),
    ("es", "¿Cuántos artículos cuestan más de 14 €?", ABOVE),
    ("it", "Quanti articoli costano più di 14 €?", ABOVE),
    ("nl", "Hoeveel artikelen kosten meer dan 14 €?", ABOVE),
    ("pt", "Quantos artigos custam mais de 14 €?", ABOVE),
    ("de", "Wie viele Rechnungen sind nicht bezahlt?", UNPAID),
    ("fr", "Combien de factures ne sont pas payées ?", UNPAID),
    ("es", "¿Cuántas facturas no están pagadas?", UNPAID),
    ("it", "Quante fatture non sono pagate?", UNPAID),
    ("nl", "Hoeveel facturen zijn niet betaald?", UNPAID),
    ("pt", "Quantas faturas não estão pagas?", UNPAID),
    ("de", "Summe der Beträge der Rechnungen", f"Sum of “Betrag”: {SUM}"),
    ("fr", "Somme des montants des factures", f"Sum of “Montant”: {SUM}"),
    ("es", "Suma de los importes de las facturas", f"Sum of “Importe”: {SUM}"),
    ("it", "Somma degli importi delle fatture", f"Sum of “Importo”: {SUM}"),
    ("nl", "Som van de bedragen van de facturen", f"Sum of “Bedrag”: {SUM}"),
    ("pt", "Soma dos valores das faturas", f"Sum of “Valor”: {SUM}"),
]
OFFERS = {
    "de": "# Angebot A-10{n}\n\nDatum: {n}. Februar 2026\n\nDer Preis der Mühle beträgt {price} €.\nDie Garantie beträgt {years} Jahre.\n",
    "fr": "# Offre A-10{n}\n\nDate : {n} février 2026\n\nNous vous proposons le moulin au prix de {price} €.\nLa garantie est de {years} ans.\n",
    "es": "# Oferta A-10{n}\n\nFecha: {n} de febrero de 2026\n\nEl precio del molino es de {price} €.\nLa garantía es de {years} años.\n",
    "it": "# Offerta A-10{n}\n\nData: {n} febbraio 2026\n\nIl prezzo del mulino è di {price} €.\nLa garanzia è di {years} anni.\n",
    "nl": "# Offerte A-10{n}\n\nDatum: {n} februari 2026\n\nDe prijs van de molen is € {price}.\nDe garantie bedraagt {years} jaar.\n",
    "pt": "# Proposta A-10{n}\n\nData: {n} de fevereiro de 2026\n\nO preço do moinho é de {price} €.\nA garantia é de {years} anos.\n",
}
LETTERS = {
    "de": "Datum: 9. März 2026\n\nhiermit widerrufen wir unser Angebot A-101.\n",
    "fr": "Date : 9 mars 2026\n\nnous annulons par la présente notre offre A-101.\n",
    "es": "Fecha: 9 de marzo de 2026\n\nanulamos por la presente nuestra oferta A-101.\n",
    "it": "Data: 9 marzo 2026\n\ncon la presente revochiamo la nostra offerta A-101.\n",
    "nl": "Datum: 9 maart 2026\n\nhierbij trekken wij onze offerte A-101 in.\n",
    "pt": "Data: 9 de março de 2026\n\nanulamos por este meio a nossa proposta A-101.\n",
}
WARRANTIES = {
    "de": "Welches Angebot hat mehr als 3 Jahre Garantie?",
    "fr": "Quelle offre a plus de 3 ans de garantie ?",
    "es": "¿Qué oferta tiene más de 3 años de garantía?",
    "it": "Quale offerta ha più di 3 anni di garanzia?",
    "nl": "Welke offerte heeft meer dan 3 jaar garantie?",
    "pt": "Que proposta tem mais de 3 anos de garantia?",
}

LIMITED = [
    ("Was sind die Nachteile der Pumpe?", "Die Pumpe steht im Keller.", "Die Pumpe ist jedoch langsam."),
    (
        "Quels sont les inconvénients de la pompe ?",
        "La pompe se trouve à la cave.",
        "La pompe est trop lente.",
    ),
    ("¿Cuáles son las desventajas de la bomba?", "La bomba está en el sótano.", "La bomba es muy lenta."),
    ("Quali sono gli svantaggi della pompa?", "La pompa si trova in cantina.", "La pompa è però lenta."),
    ("Wat zijn de nadelen van de pomp?", "De pomp staat in de kelder.", "De pomp is echter langzaam."),
    ("Quais são as desvantagens da bomba?", "A bomba está na cave.", "A bomba é porém lenta."),
]
PRAISED = [
    ("Was sind die Vorteile der Pumpe?", "Die Pumpe steht im Keller.", "Die Pumpe ist schnell."),
    ("Quels sont les avantages de la pompe ?", "La pompe se trouve à la cave.", "La pompe est fiable."),
    ("¿Cuáles son las ventajas de la bomba?", "La bomba está en el sótano.", "La bomba es muy rápida."),
    ("Quali sono i vantaggi della pompa?", "La pompa si trova in cantina.", "La pompa è affidabile."),
    ("Wat zijn de voordelen van de pomp?", "De pomp staat in de kelder.", "De pomp is betrouwbaar."),
    ("Quais são as vantagens da bomba?", "A bomba está na cave.", "A bomba é muito rápida."),
]
DECIDED = [
    ("Entscheidungen für die Pumpe", "Die Pumpe steht im Keller.", "Die Pumpe wurde genehmigt."),
    ("Décisions pour la pompe", "La pompe se trouve à la cave.", "La pompe a été approuvée."),
    ("Decisiones para la bomba", "La bomba está en el sótano.", "La bomba fue aprobada."),
    ("Decisioni per la pompa", "La pompa si trova in cantina.", "La pompa è stata approvata."),
    ("Beslissingen voor de pomp", "De pomp staat in de kelder.", "De pomp werd goedgekeurd."),
    ("Decisões para a bomba", "A bomba está na cave.", "A bomba foi aprovada."),
]


def passages(*texts: str) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            number=at,
            title=text.split("\n", 1)[0].lstrip("# ").partition(";")[0],
            text=text,
            file=f"{at}.{'csv' if ';' in text else 'md'}",
            is_whole=True,
        )
        for at, text in enumerate(texts, 1)
    )


def planned_from(directive: str, documents: tuple[Passage, ...]) -> PlanInputs:
    return PlanInputs(
        directive=directive,
        roles=(),
        outline=documents,
        web_search=False,
        max_steps=4,
        max_parallel=2,
        max_queries_per_step=2,
        max_sources_per_step=4,
        kind=DeliverableKind.DATA,
    )


def stated(question: str, *texts: str) -> list[str]:
    """What a question is answered with for certain."""
    answer = Finder.of(need_of(question), corpus_of(passages(*texts))).answer(lines=20, taken=[])
    return list(answer.lines)


@pytest.mark.parametrize(("code", "question", "wanted"), OF_ROWS)
def test_rows_are_asked_for_in_each_language(code: str, question: str, wanted: str) -> None:
    tables = [PRICES[code]] if "14 €" in question else [PRICES[code], INVOICES[code]]
    assert wanted in stated(question, *tables)[0]


@pytest.mark.parametrize("code", OFFERS)
def test_an_offer_that_a_later_letter_revokes_is_marked(code: str) -> None:
    offers = [
        OFFERS[code].format(n=n, price=price, years=years) for n, price, years in ((1, 900, 5), (2, 950, 4))
    ]
    lines = stated(WARRANTIES[code], *offers, LETTERS[code])
    [revoked] = [line for line in lines if line.endswith("[1]")]
    assert "Revoked by [3] – " in revoked
    [held] = [line for line in lines if line.endswith("[2]")]
    assert "4" in held
    assert "evoked" not in held


@pytest.mark.parametrize(("question", "other", "wanted"), [*LIMITED, *PRAISED, *DECIDED])
def test_what_limits_praises_or_decides_is_told_from_what_does_not(
    question: str, other: str, wanted: str
) -> None:
    document = final_document(question, passages(f"{other}\n\n{wanted}", "Lorem 42."))
    answered, _, beside = document.partition("## Nearest quotations")
    assert f"- {wanted} [1]" in answered
    assert other not in answered
    assert other in beside


@pytest.mark.parametrize("question", ["How many participants were there?", "Wie viele Teilnehmer?"])
def test_how_many_people_asks_for_no_names(question: str) -> None:
    cue = need_of(question).cue
    assert cue is not None
    assert cue.name == "figure"


@pytest.mark.parametrize(
    ("directive", "wanted"),
    [
        ("Table of all items: item, price", ("Bohnen", "14,90 €")),
        ("Tableau des articles : article, prix", ("Bohnen", "14,90 €")),
        ("Tabella di tutti gli articoli: articolo, prezzo", ("Bohnen", "14,90 €")),
    ],
)
def test_a_column_is_found_under_its_name_in_another_language(
    directive: str, wanted: tuple[str, str]
) -> None:
    documents = passages(PRICES["de"])
    table = data_table(planned_from(directive, documents))
    columns = tuple(ColumnToFill(name=one.name, asks=one.asks, kind=one.kind) for one in table.columns)
    rows = extract(ExtractInputs(columns=columns[-2:], documents=documents, today="2026-11-30")).rows
    assert tuple(cell.value for cell in rows[0].cells) == wanted


@pytest.mark.parametrize(
    ("name", "head", "is_like"),
    [
        ("price", "Preis", True),
        ("Firma", "Entreprise", True),
        ("quantity", "Preis", False),
        ("delivery date", "Datum", False),
    ],
)
def test_names_of_columns_are_alike_where_they_mean_the_same(name: str, head: str, is_like: bool) -> None:
    assert (likeness(name, Cell(head=head, text="14,90 €")) > 0) is is_like


def test_a_question_about_a_mission_finds_the_forms_of_its_words() -> None:
    row = CheckedStatement(text="Rechnung: R-1; Betrag: 596", markdown="", verdict="verified", cited=(1,))
    asked = AskInputs(question="Welche Beträge sind es?", directive="", results=(), statements=(row,))
    assert "> verified: Rechnung: R-1; Betrag: 596" in answer_from_evidence(asked)

"""The likeness of a column that is asked for to the name of a value in a document."""

from __future__ import annotations

import re
from collections.abc import Collection

from frasier.kernel.names import has_digit
from frasier.kernel.records import Cell
from frasier.llm.providers.rehearsal.cues import FIGURES
from frasier.llm.providers.rehearsal.evidence import SourceStatement, is_dateline_name
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.stems import content_stems, stem

_LIKE = 0.25
# What the columns of offices are called in several languages, each line with the name that stands for all of them.
_SAME = """
price preis prix precio prezzo prijs preço
date datum fecha
company firma unternehmen entreprise société empresa azienda bedrijf
supplier lieferant fournisseur proveedor fornitore leverancier fornecedor
customer kunde client cliente klant
amount betrag montant importe importo bedrag montante
quantity menge quantité cantidad quantità aantal quantidade
item article artikel artículo articolo artigo
total gesamt totale totaal
invoice rechnung facture factura fattura factuur fatura
offer angebot offre oferta offerta offerte
status état estado stato
"""
_NAME_OF = {
    stem(word): stem(words[0]) for words in map(str.split, _SAME.strip().splitlines()) for word in words
}
_BRACKETED = re.compile(r"\([^()]*\)")


def likeness(name: str, cell: Cell, statement: SourceStatement | None = None) -> float:
    """Return how like a column's name that of a value is, from 0 to 1: 0 where the value is of something else.

    It may be in another language: "price" is "Preis". "Order date" is of something else than "delivery date" and "order
    number". A bare "Date" is that of the document, unless its title says that it is what the column is about.
    "Delivery" alone is like "delivery date" if its value is a date.
    """
    wanted, own = _in_one_language(_stems(name)), _in_one_language(_stems(cell.head))
    score = len(wanted & own) / max(len(wanted | own), 1)
    kinds, missing = _in_one_language(_kinds(name)), wanted - own
    about = statement.stems_of(statement.about) if statement else frozenset()
    is_unnamed = not (missing - kinds) <= about
    is_of_other = is_unnamed and (bool(own - wanted) or is_dateline_name(cell.head))
    is_of_other_kind = bool(missing & kinds) and not _has_value(name, cell)
    return 0.0 if score < _LIKE or is_of_other or is_of_other_kind else score


def names_subject(name: str, stems: Collection[str]) -> bool:
    """Return whether stems have all words of a column's name that do not say which kind of value it has."""
    return (_stems(name) - _kinds(name)).issubset(stems)


def value_of_kind(name: str, text: str) -> str:
    """The one value in a text of the kind that a column is named after, where the text names the column, too.

    Of another text that has values of the kind it is the text itself, without the full stop behind a value.
    """
    cue = need_of(name).cue
    values = list(dict.fromkeys(cue.values_in(text))) if cue and cue.values_in else []
    is_sentence = bool(_stems(name) & set(content_stems(text)))
    if is_sentence and len(values) == 1:
        return values[0]
    return text.removesuffix(".") if values and text.endswith(f"{values[-1]}.") else text if values else ""


def _has_value(name: str, cell: Cell) -> bool:
    """Return whether a cell has a value of the kind that a column is named after, which its own name does not say.

    Where the kind cannot be told by values, the name says nothing else; what is counted or numbered has a digit.
    """
    cue = need_of(name).cue
    if cue is None or cue.values_in is not None:
        return bool(value_of_kind(name, cell.text))
    is_named_otherwise = bool(_stems(_BRACKETED.sub(" ", cell.head)) - _stems(name) - cue.triggers)
    return not is_named_otherwise and (cue is not FIGURES or has_digit(cell.text))


def _kinds(name: str) -> frozenset[str]:
    cue = need_of(name).cue
    return cue.triggers if cue else frozenset()


def _in_one_language(stems: Collection[str]) -> frozenset[str]:
    return frozenset(_NAME_OF.get(one, one) for one in stems)


def _stems(name: str) -> frozenset[str]:
    return frozenset(content_stems(re.sub(r"[_/-]", " ", name)))

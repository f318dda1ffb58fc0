"""The rehearsal over offers of suppliers, one of which is revoked: with names, prices, dates, currencies, forms and
languages drawn at random, it gives what holds, marks what does not, and quotes the budget.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest

from support.rehearsed_mission import final_document, passages_of, write_documents

_MARK = re.compile(r"(?:revoked|superseded) by \[\d+\]", re.IGNORECASE)
_BEGINNINGS = (
    "Alb",
    "Bren",
    "Cor",
    "Dol",
    "Elm",
    "Fri",
    "Gal",
    "Hov",
    "Jas",
    "Kel",
    "Lor",
    "Mir",
    "Nor",
    "Ost",
)
_ENDINGS = (
    "aris",
    "beck",
    "cott",
    "denor",
    "estra",
    "field",
    "gard",
    "holm",
    "ingen",
    "mark",
    "nova",
    "rup",
    "tano",
)
_THINGS = {
    "en": ("pump", "heat exchanger", "label printer", "pallet truck"),
    "de": ("Pumpe", "Wärmetauscher", "Etikettendrucker", "Hubwagen"),
    "fr": ("pompe", "échangeur", "imprimante", "transpalette"),
    "es": ("bomba", "intercambiador", "impresora", "transpaleta"),
}
_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
}
_DIRECTIVES = {
    "en": "Which of these suppliers can deliver before {day}, at what price, and what is the budget?",
    "de": "Welche dieser Anbieter können vor dem {day} liefern, zu welchem Preis, und was ist das Budget?",
    "fr": "Quels fournisseurs peuvent livrer avant le {day}, à quel prix, et quel est le budget?",
    "es": "¿Qué proveedores pueden entregar antes del {day}, a qué precio, y cuál es el presupuesto?",
}
_NAMES = {
    "en": ("Article", "Price", "Delivery"),
    "de": ("Artikel", "Preis", "Lieferung"),
    "fr": ("Article", "Prix", "Livraison"),
    "es": ("Artículo", "Precio", "Entrega"),
}
_REVOCATIONS = {
    "en": (
        "The price of {old} for the {thing} is no longer valid. The new price is {new}.",
        "We withdraw our price of {old} for the {thing} and can offer {new} instead.",
        "Our price of {old} is hereby revoked. From now on the {thing} costs {new}.",
    ),
    "de": (
        "Der Preis von {old} für die Position {thing} ist nicht mehr gültig. Der neue Preis ist {new}.",
        "Hiermit widerrufen wir den Preis von {old}. Der neue Preis beträgt {new}.",
    ),
    "fr": (
        "Le prix de {old} pour cet article n'est plus valable. Le nouveau prix est de {new}.",
        "Nous annulons notre prix de {old}. Le nouveau prix est de {new}.",
    ),
    "es": (
        "El precio de {old} para este artículo ya no es válido. El nuevo precio es de {new}.",
        "Queda anulado el precio de {old}. El nuevo precio es de {new}.",
    ),
}
_BUDGETS = {"en": "Budget", "de": "Budget", "fr": "Budget", "es": "Presupuesto"}


@dataclass(frozen=True)
class Offer:
    name: str
    price: str
    delivery: str
    is_in_time: bool


@dataclass(frozen=True)
class Case:
    """Documents with their directive, the offers as they were made, and the new price of the revoked one, the first."""

    documents: dict[str, str]
    directive: str
    offers: list[Offer]
    new_price: str
    budget: str


def amount(chance: random.Random, language: str, currency: str) -> str:
    cents = chance.randrange(20_000, 900_000)
    text = f"{cents / 100:,.2f}"
    if language != "en":
        text = text.translate(str.maketrans(",.", ".,"))
    return chance.choice((f"{text} {currency}", f"{currency} {text}"))


def day_of(chance: random.Random, language: str, day: date) -> str:
    if chance.random() < 0.4:
        return day.isoformat()
    if language == "en":
        return f"{day.day} {day:%B} {day.year}"
    month = _MONTHS[language][day.month - 1]
    return (
        f"{day.day}. {month} {day.year}"
        if language == "de"
        else f"{day.day} de {month} de {day.year}"
        if language == "es"
        else f"{day.day} {month} {day.year}"
    )


def offer_document(
    chance: random.Random, language: str, offer: Offer, thing: str, made: date
) -> tuple[str, str]:
    """Return the name and the text of the document of an offer, in one of four forms."""
    article, price, delivery = _NAMES[language]
    name = offer.name.lower()
    form = chance.randrange(4)
    if form == 0:
        return f"{name}.csv", f"{article};{price};{delivery}\n{thing};{offer.price};{offer.delivery}\n"
    if form == 1:
        row = f"| {article} | {price} | {delivery} |\n|---|---|---|\n| {thing} | {offer.price} | {offer.delivery} |\n"
        return f"{name}-{made.isoformat()}.md", f"# {offer.name}\n\n{row}"
    if form == 2:
        lines = f'"supplier": "{offer.name}", "{article}": "{thing}", "{price}": "{offer.price}"'
        return f"{name}.json", f'{{{lines}, "{delivery}": "{offer.delivery}"}}\n'
    return (
        f"{name}.txt",
        f"{offer.name}\n\n{article}: {thing}\n{price}: {offer.price}\n{delivery}: {offer.delivery}\n",
    )


def draw(seed: int) -> Case:
    chance = random.Random(seed)
    language = chance.choice(("en", "en", "de", "fr", "es"))
    currency = chance.choice(("EUR", "CHF", "GBP", "USD"))
    thing = chance.choice(_THINGS[language])
    limit = date(2026, chance.randrange(4, 11), 1)
    made = limit - timedelta(days=chance.randrange(60, 90))
    names = chance.sample([f"{a}{b}" for a in _BEGINNINGS for b in _ENDINGS], 3)
    in_time = [True, True, False]
    offers = []
    for name, early in zip(names, in_time, strict=True):
        delivery = limit + timedelta(days=-chance.randrange(3, 20) if early else chance.randrange(3, 40))
        offers.append(
            Offer(name, amount(chance, language, currency), day_of(chance, language, delivery), early)
        )
    new_price, budget = amount(chance, language, currency), amount(chance, language, currency)
    revocation = chance.choice(_REVOCATIONS[language]).format(old=offers[0].price, new=new_price, thing=thing)
    documents = dict(offer_document(chance, language, offer, thing, made) for offer in offers)
    sent = made + timedelta(days=chance.randrange(5, 40))
    documents[f"mail-{sent.isoformat()}.eml"] = (
        f"From: {offers[0].name} <sales@{offers[0].name.lower()}.example>\nDate: {sent:%d %b %Y} 10:00:00 +0200\n"
        f"Subject: {thing}\n\n{revocation}\n"
    )
    documents["note.txt"] = f"{_BUDGETS[language]}: {budget}\n"
    directive = _DIRECTIVES[language].format(day=day_of(chance, language, limit))
    return Case(documents, directive, offers, new_price, budget)


@pytest.mark.parametrize("seed", range(60))
def test_what_holds_is_given_and_what_does_not_is_marked(seed: int, tmp_path: Path) -> None:
    case = draw(seed)
    text = final_document(case.directive, passages_of(write_documents(tmp_path / "sources", case.documents)))
    statements = [line for line in text.splitlines() if line.startswith(("- ", "|"))]
    current = "\n".join(line for line in statements if not _MARK.search(line))
    revoked, *valid = case.offers
    for offer in valid:
        assert offer.price in current, offer
    assert [offer.delivery for offer in case.offers if offer.is_in_time and offer.delivery not in text] == []
    assert case.new_price in current
    assert case.budget in current
    # The old price stands only where it is marked, or where the mail itself revokes it.
    mail = case.documents[next(name for name in case.documents if name.startswith("mail"))]
    for line in statements:
        if revoked.price in line and not _MARK.search(line):
            assert mail.splitlines()[-1][:30] in line, line
    assert any(revoked.price in line and _MARK.search(line) for line in statements)

"""The language of a question or a directive, which may have three words."""

from __future__ import annotations

import pytest

from frasier.kernel.language import language_of, language_of_request

TELLING = {
    "english": ["Which prices apply?", "What's the price?", "List prices", "Table of offers: company, price"],
    "german": ["Welche Preise gelten?", "Hallo, wer bist du?", "Tabelle Angebote Firma Preis"],
    "french": [
        "Combien coûte la machine ?",
        "Prix de l'installation",
        "Comparez les prix",
        "Quelles offres ?",
    ],
    "spanish": ["¿Qué precios valen?", "¿Cuánto cuesta la máquina?", "Compara los precios"],
    "italian": ["Quali prezzi valgono?", "Quanto costa la macchina?", "Prezzo dell’installazione"],
    "dutch": ["Welke prijzen gelden?", "Hoeveel kost de machine?", "Vergelijk de prijzen"],
    "portuguese": ["Qual é a renda?", "Quantas faturas não estão pagas?", "Compare os preços"],
}
OPEN = {
    "french": ["La maison a un toit", "Le prix de la machine", "Montant de la facture"],
    "spanish": ["Precio de la instalación"],
    "italian": ["Confronta i prezzi"],
    "portuguese": ["Que preços valem?", "O preço da máquina"],
}


@pytest.mark.parametrize(("language", "text"), [(one, text) for one in TELLING for text in TELLING[one]])
def test_the_words_of_a_short_request_tell_its_language(language: str, text: str) -> None:
    assert language_of_request(text) == language
    assert language_of_request(text, likely="polish") == language


@pytest.mark.parametrize(("language", "text"), [(one, text) for one in OPEN for text in OPEN[one]])
def test_what_several_languages_share_is_that_of_the_documents(language: str, text: str) -> None:
    assert language_of_request(text, likely=language) == language
    assert language_of_request(text, likely="german") is None
    assert language_of(text) is None, "no short French sentence is Spanish"

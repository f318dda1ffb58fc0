"""Words that a dictionary has, and names that none has."""

from __future__ import annotations

import pytest

from frasier.kernel.dictionaries import is_common_word


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("Probably", "english"),
        ("Laundry's", "english"),
        ("Antrag", "german"),
        ("Versicherungssumme", "german"),
        ("Induktionsherd", "german"),
        ("Coste", "spanish"),
        ("Wethouder", "dutch"),
        ("Szczecin", "polish"),
        ("Szczecin", None),
    ],
)
def test_words_compounds_and_words_of_unknown_languages_are_common(word: str, language: str | None) -> None:
    assert is_common_word(word, language)


@pytest.mark.parametrize(
    ("word", "language"),
    [("Wray", "english"), ("Holmquist", "german"), ("Wray", "dutch"), ("Holmquist", "spanish")],
)
def test_a_name_is_in_no_dictionary(word: str, language: str) -> None:
    assert not is_common_word(word, language)

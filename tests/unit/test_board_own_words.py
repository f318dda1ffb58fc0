"""When two texts are the same words."""

from __future__ import annotations

import pytest

from frasier.board.gates.text_digest import words_digest

SAME = [
    ("All green.", "  ALL\ngreen!! "),
    ("All green.", "allgreen"),
    ("It's done: v1", "Its done - v1"),
    ("Straße geprüft", "STRASSE GEPRÜFT"),
    ("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}"),
    ("Ok \N{WHITE HEAVY CHECK MARK}", "ok"),
    ("\N{FULLWIDTH LATIN CAPITAL LETTER O}k", "ok"),
    ("o\N{ZERO WIDTH SPACE}k", "ok"),
    ("ok\N{VARIATION SELECTOR-16}", "ok"),
    ("cafe\N{COMBINING GRAPHEME JOINER}\N{COMBINING ACUTE ACCENT}", "caf\N{LATIN SMALL LETTER E WITH ACUTE}"),
    ("ok\N{HANGUL FILLER}", "ok"),
    ("!!!", " ! ! ! "),
]
OTHER = [
    ("All green.", "All green but one."),
    ("3 passed", "4 passed"),
    ("\N{CJK UNIFIED IDEOGRAPH-597D}", "\N{CJK UNIFIED IDEOGRAPH-58DE}"),
    ("कि", "का"),
    ("!!!", "???"),
    ("\N{THUMBS UP SIGN}", "\N{THUMBS DOWN SIGN}"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_space_and_punctuation_make_no_other_words(one, other):
    assert words_digest(one) == words_digest(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_words_are_others_in_every_alphabet(one, other):
    assert words_digest(one) != words_digest(other)


def test_halves_of_characters_do_no_harm():
    assert words_digest("\ud800 ok") == words_digest("OK")

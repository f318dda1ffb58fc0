"""Small rules about text."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.interfaces.cli.output import usd as cli_dollars
from frasier.kernel.humanize import dollars, ended, person
from frasier.kernel.text import (
    canonical_json,
    compile_words,
    digest,
    estimate_tokens,
    fingerprint,
    fit_tokens,
    shorten,
    strip_control,
)

STORABLE = st.text(st.characters(exclude_categories=["Cs"]))
PROSE = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=["Cs", "Z", "C"]), min_size=1
)
SENTENCES = st.lists(PROSE, min_size=1).map(" ".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STORABLE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STORABLE, inner, max_size=4),
    max_leaves=12,
)


@given(STORABLE)
def test_tokens_are_counted_and_only_nothing_costs_nothing(text: str) -> None:
    assert (estimate_tokens(text) == 0) is (text == "")
    assert estimate_tokens(text + "x") >= estimate_tokens(text)


def test_wide_scripts_cost_a_token_a_character_and_prose_a_quarter() -> None:
    assert estimate_tokens("a" * 400) == 100
    assert estimate_tokens("漢字" * 50) == 100
    assert estimate_tokens("漢字" * 50 + "a" * 400) == 200


@given(SENTENCES, st.integers(1, 80))
def test_a_shortened_text_keeps_within_its_bound_and_begins_as_before(text: str, chars: int) -> None:
    short = shorten(text, chars)
    assert len(short) <= chars
    if len(text) <= chars:
        assert short == text
    else:
        assert short.endswith("…")
        assert text.startswith(short[:-1])


def test_a_text_is_cut_at_a_word() -> None:
    assert shorten("the quick brown fox", 12) == "the quick…"
    assert shorten("incomprehensibilities", 12) == "incomprehen…"
    assert shorten("1 " + "日" * 20, 12) == "1 日日日日日日日日日…"


@given(st.text(st.characters(max_codepoint=126, min_codepoint=32)), st.integers(0, 200))
def test_what_is_fitted_keeps_its_budget_its_head_and_its_tail(text: str, tokens: int) -> None:
    fitted = fit_tokens(text, tokens)
    assert estimate_tokens(fitted) <= tokens
    if estimate_tokens(text) <= tokens:
        assert fitted == text


def test_the_conclusion_at_the_end_survives_fitting() -> None:
    text = "Beginning. " + "filler words in between " * 200 + "Conclusion: yes."
    fitted = fit_tokens(text, 100)
    assert fitted.startswith("Beginning.")
    assert fitted.endswith("Conclusion: yes.")
    assert "characters left out" in fitted


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Design the API now", ["API"]),
        ("capital of rapid growth", []),
        ("an api, an API; api-first", ["api", "API", "api"]),
        ("go to market", ["go to market"]),
        ("our Go-To-Market plan", ["Go-To-Market"]),
        ("c++ code", ["c++"]),
    ],
)
def test_only_whole_words_are_found_whatever_their_case(text: str, found: list[str]) -> None:
    assert compile_words(["api", "go to market", "c++"]).findall(text) == found


@given(st.dictionaries(STORABLE, JSON, max_size=6), st.randoms())
def test_equal_values_have_one_spelling(value: dict[str, object], random) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical_json(dict(items)) == canonical_json(value)
    assert json.loads(canonical_json(value)) == value
    assert fingerprint(dict(items), 1) == fingerprint(value, 1)


@given(JSON, JSON)
def test_a_fingerprint_tells_values_and_their_number_apart(one: object, other: object) -> None:
    if canonical_json(one) != canonical_json(other):
        assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one, other) != fingerprint([one, other])
    assert fingerprint(one) != fingerprint(one, one)


def test_a_digest_is_sha256_of_the_utf8_text() -> None:
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest("ü") == hashlib.sha256(b"\xc3\xbc").hexdigest()


@given(st.text())
def test_what_is_stripped_holds_no_control_character_but_line_and_tab(text: str) -> None:
    stripped = strip_control(text)
    assert all(c in "\n\t" or (c >= " " and not "\x7f" <= c < "\xa0") for c in stripped)
    assert strip_control(stripped) == stripped
    assert [c for c in text if c in stripped] == list(stripped)


def test_escape_sequences_and_nul_are_gone_and_the_rest_stays() -> None:
    assert strip_control("a\x00b\x1b[31mred\r\n\tend\x9b") == "ab[31mred\n\tend"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [("It leaks", "It leaks."), (" It leaks. ", "It leaks."), ("Why?", "Why?"), ("and so on…", "and so on…")],
)
def test_what_somebody_said_ends_a_sentence_once(said, sentence):
    assert ended(said) == sentence
    assert ended(sentence) == sentence


@pytest.mark.parametrize(
    ("exact", "told"),
    [
        ("member:token:ada", "ada"),
        ("token:ada", "ada"),
        ("founder:founder", "founder"),
        ("member:token:founder", "token:founder"),
        ("system:frasier", "system:frasier"),
        ("", ""),
    ],
)
def test_people_are_told_a_name_that_no_other_has(exact, told):
    assert person(exact) == told


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        *((0, "$0.00"), (0.000001, "$0.000001"), (0.00004, "$0.000040"), (0.0036, "$0.0036")),
        *((0.0999, "$0.0999"), (0.1, "$0.10"), (1234.5, "$1,234.50")),
    ],
)
def test_no_amount_that_was_spent_reads_as_nothing(usd: float, text: str) -> None:
    assert dollars(usd) == text
    assert (cli_dollars(usd) == "$0.00") == (usd == 0)
    assert float(cli_dollars(usd).strip("$").replace(",", "")) == pytest.approx(usd, rel=0.01)

"""The words of languages: every list has all of them, and each is read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from frasier.kernel.language_words import LANGUAGE_CODES, load_words

SOURCE = Path(__file__).resolve().parents[2] / "src"
FILES = sorted(SOURCE.rglob("words.toml"))
MEANINGS = [(file, meaning) for file in FILES for meaning in tomllib.loads(file.read_text("utf-8"))]
CODES = set(LANGUAGE_CODES.values()) - {"pl"}  # only some lists have Polish
# The languages that have no such word, by the meaning: say why.
LACKING: dict[str, set[str]] = {}


@pytest.mark.parametrize(("file", "meaning"), MEANINGS, ids=lambda value: getattr(value, "parent", value))
def test_a_meaning_is_described_and_has_words_of_every_language(file: Path, meaning: str) -> None:
    text = file.read_text("utf-8")
    words = tomllib.loads(text)[meaning]
    described = rf"^(?:\[{meaning}\]  # .+\.|# .+\.\n{meaning} = .+)$"
    assert re.search(described, text, re.MULTILINE), "a comment says what it means"
    assert CODES - set(words) == LACKING.get(meaning, set())
    assert set(words) <= set(LANGUAGE_CODES.values())
    for code, alternatives in words.items():
        assert not re.compile(alternatives).fullmatch(""), f"an empty word: {code}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_list_is_read(file: Path) -> None:
    code = "\n".join(module.read_text("utf-8") for module in file.parent.rglob("*.py"))
    unread = {name for name in load_words(package_of(file)) if not re.search(rf"""["']{name}["']""", code)}
    assert not unread


def package_of(file: Path) -> str:
    return ".".join(file.parent.relative_to(SOURCE).parts)

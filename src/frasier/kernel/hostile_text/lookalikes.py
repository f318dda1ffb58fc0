"""Letters of other scripts that look like Latin ones, within words that pretend to be Latin."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from frasier.kernel.hostile_text.findings import FindingLevel, TextFinding, visible

_PAIRS = {
    "cyrillic": ("аеорсухіјѕһԁԛԝӏгпкАВЕКМНОРСТУХІЈЅԚԜӀ", "aeopcyxijshdqwlrnkABEKMHOPCTYXIJSQWI"),
    "greek": ("οανρτυικχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavptuikxABEZHIKMNOPTYX"),
    "others": ("ոսօցհԼՕՍɡıɑʟɩᴀᴄᴇᴏᴛᴜᴠᴡᴢꓐꓑꓒ", "nuoghLOUgialiaceotuvwzBPd"),
}
_TABLE = {
    ord(letter): latin
    for letters, latins in _PAIRS.values()
    for letter, latin in zip(letters, latins, strict=True)
}
_WORD = re.compile(r"[^\W\d_]{2,}")
_LATIN = re.compile(r"[A-Za-z]")
_WORDS_THAT_MATTER = frozenset(
    re.findall(
        r"\w+",
        "ignore disregard forget override bypass system prompt instruction instructions rule rules previous secret"
        " password token key keys api admin root sudo curl wget bash exec eval http https user founder approve send"
        " post upload copy cat echo run env ssh access assistant reviewer score",
    )
)
_STYLED_MIN = 4


def fold_mixed_words(text: str) -> str:
    """Return `text` with lookalikes replaced in words that mix them with Latin letters, or are a word that matters."""
    return _WORD.sub(lambda match: _folded(match[0]) or match[0], text)


def find_lookalikes(lines: list[str]) -> Iterator[TextFinding]:
    """Find words in which letters of another script stand for Latin ones, and letters in a mathematical style."""
    for number, line in enumerate(lines, 1):
        if line.isascii():
            continue
        for match in _WORD.finditer(line):
            word = match[0]
            if word.isascii():
                continue
            if (folded := _folded(word)) is not None:
                yield TextFinding(
                    rule="lookalike_letters",
                    level=FindingLevel.FLAG,
                    line=number,
                    seen=visible(f"{word} (reads as {folded}; {_names(word)})"),
                    about="It has letters of another script in the place of Latin ones.",
                )
            elif sum("\U0001d400" <= char <= "\U0001d7ff" for char in word) >= _STYLED_MIN:
                yield TextFinding(
                    rule="lookalike_letters",
                    level=FindingLevel.FLAG,
                    line=number,
                    seen=visible(f"{word} (reads as {unicodedata.normalize('NFKC', word)})"),
                    about="It has a word in mathematical letters.",
                )


def _folded(word: str) -> str | None:
    """Return the Latin word that `word` pretends to be, or None."""
    folded = word.translate(_TABLE)
    if folded == word or not folded.isascii():
        return None
    if _LATIN.search(word):
        return folded if len(word) >= 3 else None
    return folded if folded.casefold() in _WORDS_THAT_MATTER else None


def _names(word: str) -> str:
    return ", ".join(
        sorted({unicodedata.name(char, "unnamed").lower() for char in word if ord(char) in _TABLE})
    )

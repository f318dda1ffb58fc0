"""The tokenizer of the lexical index, for writing and for queries."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Sequence

import Stemmer

from frasier.kernel.stopwords import STOP_WORDS

TERM_CHARS_MAX = 64
TERMS_MAX = 32_767
"""The largest number of terms that the length column holds; a longer text is found by its first terms only."""

_ACCENTS = re.compile("[\u0300-\u036f]")
# The capital at which a part of an identifier begins: fooBar, S3Client, HTTPServer, but not APIs. The pattern
# begins with the capital because there are few of them, which makes it fast.
_HUMP = re.compile(r"[A-Z](?:(?<=[a-z0-9].)|(?<=[A-Z].)(?=[a-z]{2}))")
_SEAM = "\0"  # marks such a capital during the search for words
_WORD = re.compile(r"[^\W_]+(?:['.,\0][^\W_]+)*")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_PUNCTUATION = re.compile("[.,]")
# Scripts that write words without blanks between them: Thai, Lao, Khmer, Chinese, Japanese and Korean.
_UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_SCRIPT_RUN = re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_START = re.compile(rf"[{_UNSPACED}]")


class _Stemmers(threading.local):
    """A Snowball stemmer keeps state while it works, so each thread has its own.

    Without its cache: looking a word up there takes several times as long as stemming it (measured).
    """

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)


_stemmers = _Stemmers()


def stem(word: str) -> str:
    """Return the English stem (Snowball) of a lower-case word."""
    root: str = _stemmers.english.stemWord(word)
    return root


def stems(words: Sequence[str]) -> list[str]:
    """Return the English stem of each lower-case word; faster than one by one."""
    roots: list[str] = _stemmers.english.stemWords(words)
    return roots


def tokenize(text: str) -> list[str]:
    """Return the terms of `text` in order, repeats included; [] if it holds nothing searchable.

    Unicode is normalised, accents and case are folded, English stop words left out, English words stemmed
    (Snowball). An identifier gives itself and its parts; scripts without blanks give pairs of characters.
    At most TERMS_MAX terms of at most TERM_CHARS_MAX characters; never an empty one. Accepts any text.
    """
    stems: list[str] = _stemmers.english.stemWords(_words(text))
    return stems


def words_and_terms(text: str) -> list[tuple[str, str]]:
    """Return pairs of a word, as a person would recognise it, and its term from `tokenize`."""
    words = _words(text)
    return list(zip(words, _stemmers.english.stemWords(words), strict=True))


def _words(text: str) -> list[str]:
    words: list[str] = []
    plain = _without_accents(text.replace(_SEAM, " "))
    for run in _WORD.findall(_HUMP.sub(rf"{_SEAM}\g<0>", plain).casefold()):
        if run.isalnum():
            words.append(run)
        else:
            words += _parts(run)
    if not text.isascii():
        words = [piece for word in words for piece in _pieces(word)]
    return [word[:TERM_CHARS_MAX] for word in words if word not in STOP_WORDS][:TERMS_MAX]


def _parts(run: str) -> list[str]:
    """Split a run joined by punctuation or camel case into words; numbers and versions stay whole."""
    if version := _VERSION.fullmatch(run):
        return [version[1]]  # v1.2 and 1.2 are one version
    if _THOUSANDS.fullmatch(run):
        return [run.replace(",", "")]
    parts: list[str] = []
    for word in _PUNCTUATION.split(run):
        parts.append(word.replace(_SEAM, ""))
        if _SEAM in word:
            parts += [part for part in word.split(_SEAM) if len(part) > 1]
    return parts


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", text).replace("\u2019", "'")
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parted))


def _pieces(word: str) -> list[str]:
    """Split a word of a script without blanks into overlapping pairs of characters; return any other word as it is."""
    if word.isascii() or not _UNSPACED_START.search(word):
        return [word]
    pieces: list[str] = []
    for run in _SCRIPT_RUN.findall(word):
        if _UNSPACED_START.match(run) and len(run) > 2:
            pieces += [run[at : at + 2] for at in range(len(run) - 1)]
        else:
            pieces.append(run)
    return pieces

"""The messages of a deliverable's files, in the language of its text. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from frasier.llm import Verification
from frasier.org.planning import ResultTable

LANGUAGE_CODES: Mapping[str, str] = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "dutch": "nl",
    "portuguese": "pt",
    "polish": "pl",
}

_STORED = "stored_"
_REHEARSAL = "rehearsal_"
_MARKS = ("undecided", "compared")
_PLACE = re.compile(r"(?P<kind>row|record|lines?|pages?) (?P<at>[\d–]+)|under (?P<path>.+)")
_LANGUAGES = frozenset({"language", "wanted"})
"""The placeholders that hold the name of a language; a quotation in another one stays as it is."""
_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages in the language of this code."""

    language: str = "en"

    def text(self, name: str, /, **values: object) -> str:
        """Return a message with its values."""
        return messages_by_name()[name][self.language].format(**values)

    def stored(self, sentence: str) -> str:
        """Return a sentence that is stored in English; as it is if none of the messages has this form."""
        return self._translated(sentence, _STORED)

    def rehearsal(self, text: str) -> str:
        """Return what a rehearsal wrote, with its own headings, notes and marks in this language."""
        if self.language == "en":
            return text
        for mark in _MARKS:
            english = f"{ENGLISH.text(f'mark_{mark}')} – "
            text = text.replace(english, f"{self.text(f'mark_{mark}')} – ")
        return "\n".join(self._translated(line, _REHEARSAL) for line in text.split("\n"))

    def _translated(self, sentence: str, kind: str) -> str:
        """Return a sentence that has the English form of a message of a kind."""
        if self.language == "en":
            return sentence
        for name, form in _forms(kind):
            if match := form.fullmatch(sentence):
                values = match.groupdict()
                named = {key: self._named_language(values[key]) for key in _LANGUAGES & values.keys()}
                return self.text(name, **(values | named))
        return sentence

    def place(self, location: str) -> str:
        """Return a place in a source, such as "row 3, under Offer"."""
        return ", ".join(map(self._part_of_place, _parts_of_place(location))) if location else ""

    def pages(self, pages: Sequence[str]) -> str:
        """Return the pages of a source, such as "pages 2, 4–5"; empty without any."""
        if not pages:
            return ""
        is_one = len(pages) == 1 and pages[0].isdigit()
        return self.text("place_page" if is_one else "place_pages", at=", ".join(pages))

    def headline(self, verification: Verification) -> str:
        """Return the verdicts of a verification, such as "Verified 41 of 43 statements; 2 marked as doubtful"."""
        if not verification.statements:
            return self.text("no_statement")
        conclusions = "conclusions_one" if verification.conclusions == 1 else "conclusions_many"
        counts = {
            "marked_as_doubtful": verification.doubtful,
            "unchecked": verification.unchecked,
            conclusions: verification.conclusions,
            "removed": verification.removed,
        }
        rest = ", ".join(self.text(name, count=count) for name, count in counts.items() if count)
        verified = self.text(
            "verified_one" if verification.total == 1 else "verified_many",
            verified=verification.verified,
            total=verification.total,
        )
        return f"{verified}; {rest}" if rest else verified

    def coverage(self, table: ResultTable) -> str:
        """Return which documents a table examined, and which it could not, in sentences."""
        name = "coverage_one" if table.documents == 1 else "coverage_many"
        sentences = [self.text(name, examined=f"{table.examined:,}", total=f"{table.documents:,}") + "."]
        groups = {
            "not_examined": table.failed,
            "partly_examined": table.partial,
            "nothing_found_in": table.silent,
        }
        sentences += [self.text(name, names="; ".join(names)) for name, names in groups.items() if names]
        return " ".join(sentences)

    def _named_language(self, value: str) -> str:
        """Return the name of a language in this one, and any other value as it is."""
        name = f"language_{value}"
        return self.text(name) if name in messages_by_name() else value

    def _part_of_place(self, part: str) -> str:
        match = _PLACE.fullmatch(part)
        if match is None:
            return part
        return self.text(f"place_{match['kind'] or 'under'}", at=match["at"] or match["path"])


ENGLISH = Messages()


@cache
def messages_by_name() -> dict[str, dict[str, str]]:
    """Return every message by its name and the code of its language."""
    table = files("frasier.interfaces.deliverable_rendering").joinpath("messages.toml").read_text("utf-8")
    return tomllib.loads(table)


@cache
def _forms(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the English forms of the sentences of a kind, the longest first: it fits what a shorter one fits, too."""
    forms = {name: by_code["en"] for name, by_code in messages_by_name().items() if name.startswith(kind)}
    return tuple(
        (name, re.compile(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(form)), re.DOTALL))
        for name, form in sorted(forms.items(), key=lambda item: -len(item[1]))
    )


def _parts_of_place(location: str) -> Iterable[str]:
    """Yield the parts of a place; the headings above it are one, whatever commas they have."""
    before, under, path = location.partition("under ")
    yield from (part for part in before.split(", ") if part)
    if under:
        yield under + path

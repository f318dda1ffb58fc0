"""The messages of a deliverable's files, in the language of its text. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from frasier.llm import Verification
from frasier.org.missions import ResultTable

_STORED = "stored_"
_REHEARSAL = "rehearsal_"
_ANSWER = "answer_"
_MARK = "mark_"
_COMPUTED = "computed_"
_PLACE = re.compile(r"(?P<kind>row|record|lines?|pages?) (?P<at>[\d–]+)|under (?P<path>.+)")
_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")
_VALUES_OF_PARTS = {"count": r"\d+", "number": r"\d+", "column": "[^”]+"}
_IS_COMPUTED = re.compile(
    r"(?:- )?(?:\*\*[^*]+\*\*: |[^:]{1,80}: )?(?:Count: (?:all )?(?:one row|\d+ rows)|"
    r"(?:Sum of|Highest|Lowest|Latest|Earliest) “)"
)
# The placeholders whose value is a message of its own, with what its name begins with.
_NAMED_BY = {"language": "language", "wanted": "language", "kind": "kind", "status": "status"}
_COUNTED_SOURCES = re.compile(r"(\d+) sources")
_QUOTED = re.compile(r"“([^”]*)”")


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
        return "\n".join(self._line(line, _REHEARSAL) for line in text.split("\n"))

    def answer(self, text: str) -> str:
        """Return an answer to a message, with what the program says itself in this language."""
        if self.language == "en":
            return text
        text = text.replace("[doubtful]", f"[{self.text('doubtful')}]")
        return "\n".join(self._line(line, _ANSWER) for line in text.split("\n"))

    def _line(self, line: str, kind: str) -> str:
        """Return a line with the form of a message of a kind, or with the marks of a rehearsal."""
        if (told := self._translated(line, kind)) != line:
            return told
        return self._marked(line)

    def _marked(self, line: str) -> str:
        marked = self._with_parts(line, _MARK)
        return self._with_parts(marked, _COMPUTED) if _IS_COMPUTED.match(line) else marked

    def _translated(self, sentence: str, kind: str) -> str:
        """Return a sentence that has the English form of a message of a kind."""
        if self.language == "en":
            return sentence
        for name, form in _forms(kind):
            if match := form.fullmatch(sentence):
                return self._of_match(name, match)
        return sentence

    def _with_parts(self, text: str, kind: str) -> str:
        """Return a text with each part that has the English form of a message of a kind."""
        for name, form in _forms(kind):
            text = form.sub(partial(self._of_match, name), text)
        return text

    def _of_match(self, name: str, match: re.Match[str]) -> str:
        return self.text(name, **{key: self._value(key, value) for key, value in match.groupdict().items()})

    def _value(self, key: str, value: str) -> str:
        """Return the value of a placeholder in this language; one that quotes stays as it is."""
        name = f"{_NAMED_BY.get(key, key)}_{value.replace(' ', '_')}"
        if key in _NAMED_BY and name in messages_by_name():
            return self.text(name)
        if key == "text":
            return self._marked(value)
        if key in {"rows", "cells"}:
            return self._with_parts(value, _COMPUTED)
        if key == "names" and (counted := _COUNTED_SOURCES.fullmatch(value)):
            return self.text("counted_sources", count=counted[1])
        if key == "about":
            before, after, rest = value.partition(", after “")
            asked = _QUOTED.sub(self._quotation, before)
            return self.text("asked_after", about=asked, before=rest.rstrip("”")) if after else asked
        return value

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

    def _quotation(self, match: re.Match[str]) -> str:
        return self.text("quotation", text=match[1])

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
    """Return the English forms of the messages of a kind, the longest first: it fits what a shorter one fits, too."""
    forms = {name: by_code["en"] for name, by_code in messages_by_name().items() if name.startswith(kind)}
    is_part = kind in {_MARK, _COMPUTED}
    return tuple(
        (name, re.compile(_PLACEHOLDER.sub(_part if is_part else _whole, re.escape(form)), re.DOTALL))
        for name, form in sorted(forms.items(), key=lambda item: -len(item[1]))
    )


def _whole(match: re.Match[str]) -> str:
    """Return the pattern of a placeholder in a whole sentence."""
    return rf"(?P<{match[1]}>.+)"


def _part(match: re.Match[str]) -> str:
    """Return the pattern of a placeholder in a part of a line."""
    return rf"(?P<{match[1]}>{_VALUES_OF_PARTS.get(match[1], '.+?')})"


def _parts_of_place(location: str) -> Iterable[str]:
    """Yield the parts of a place; the headings above it are one, whatever commas they have."""
    before, under, path = location.partition("under ")
    yield from (part for part in before.split(", ") if part)
    if under:
        yield under + path

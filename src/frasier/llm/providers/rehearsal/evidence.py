"""Evidence: what can be quoted of the passages, as sentences, items, values with their names, and records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from frasier.kernel.aligned_tables import with_bars
from frasier.kernel.dates import DATE_NAMES, DateMention, find_dates, masked_dates
from frasier.kernel.language import language_of
from frasier.kernel.language_words import load_words
from frasier.kernel.quantities import find_quantities
from frasier.kernel.records import Cell, cells_of, named_cells
from frasier.kernel.source_lines import HEADING, LIST_ITEM, is_fence, named_values
from frasier.kernel.source_units import SourceText, SourceUnit
from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.cues import Cue
from frasier.llm.providers.rehearsal.mail import without_history
from frasier.llm.providers.rehearsal.quotable import Kind, is_anaphoric, is_quotable, quality
from frasier.llm.providers.rehearsal.stems import content_stems, spelled, words
from frasier.llm.providers.rehearsal.words import WORDS

_JOINED_CHARS_MAX = 320
_RECORD_CHARS_MAX = 390
_CELL_CHARS_MAX = 120
_HEAD_UNITS = 12
_DATELINES = frozenset(content_stems(" ".join(DATE_NAMES)))
_HEADERS = spelled(
    "from to cc bcc reply date sent subject von an betreff datum gesendet objet de à para asunto fecha van aan "
    "onderwerp da oggetto inviato assunto data enviado"
)
_SUBJECTS = spelled("subject betreff objet asunto onderwerp oggetto assunto")
_REPLY = re.compile(r"(?:(?:re|aw|antw|fwd?|wg|tr|rv|sv)\s?:\s*)+", re.IGNORECASE)
_DATELINE_CHARS_MAX = 80
_MADE = re.compile(rf"\W*(?:{WORDS['made'].alternatives})", re.IGNORECASE)
_WEEKDAY = re.compile(rf"(?:{load_words('frasier.kernel')['weekdays'].alternatives})\b", re.IGNORECASE)
_DAY_IN_NAME = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_LABEL = re.compile(r"(?<![\w.,])(?=[\w/.-]*\d{2})[\w]+(?:[/.-]\w+)*")
_ADDRESS_PARTS = spelled("com org net example www http https mailto eml txt csv pdf html json")
_MAIL_ADDRESS = re.compile(r"\S+@\S+")
_BLOCKQUOTE = re.compile(r"^(?:>\s?)+")
_TRAILING_MARKS = re.compile(r"(?:\s*\[\^?\w{1,12}\])+$")


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceStatement:
    """A statement of a source. `text` is how it is quoted; `order` is its place among all.

    `beside` are the values of the block of names and values that it stands in, `names_beside` its names; `lead` marks
    the first statement below a heading, `about` is what the source is about: title, file, and the values it begins
    with. `quality` (0 to about 1.2) says how well it stands alone.
    """

    unit: SourceUnit
    title: str
    text: str
    kind: Kind
    order: int
    lead: bool = False
    beside: str = ""
    names_beside: str = ""
    about: str = ""
    default_language: str | None = None

    @property
    def language(self) -> str | None:
        """Its language; where that cannot be told, that of most sources."""
        return self.unit.language or self.default_language

    @property
    def number(self) -> int:
        return self.unit.number

    @cached_property
    def stems(self) -> frozenset[str]:
        return self.stems_of(self.text)

    @cached_property
    def heading_stems(self) -> frozenset[str]:
        return self.stems_of(" ".join((*self.unit.path, self.beside)))

    @cached_property
    def block_stems(self) -> frozenset[str]:
        """The stems of the names in the block that it stands in."""
        return self.stems_of(self.names_beside)

    @cached_property
    def about_stems(self) -> frozenset[str]:
        return self.stems_of(self.about)

    @cached_property
    def head_stems(self) -> frozenset[str]:
        """The stems of the names of its values."""
        return self.stems_of(" ".join(cell.head for cell in self.unit.fields))

    @property
    def is_header(self) -> bool:
        """Return whether it is the header of a mail."""
        heads = {word for cell in self.unit.fields for word in words(cell.head)}
        return self.kind is Kind.FIELD and heads <= _HEADERS

    @cached_property
    def quality(self) -> float:
        return quality(self.text, self.kind)

    @cached_property
    def subject_stems(self) -> frozenset[str]:
        """The stems of its words, without dates and numbers."""
        text = masked_dates(self.text, find_dates(self.text))
        return frozenset(one for one in self.stems_of(text) if not one.isdigit())

    @cached_property
    def value_stems(self) -> frozenset[str]:
        """The stems of the words of its values, without their names, dates and numbers."""
        text = " ".join(cell.text for cell in self.unit.fields)
        return frozenset(s for s in self.stems_of(masked_dates(text, find_dates(text))) if not s.isdigit())

    @cached_property
    def values(self) -> frozenset[tuple[str, object]]:
        """Its amounts with a unit and its dates, as they can be compared."""
        amounts = {
            (one.dimension, one.base_values[0]) for one in self.unit.quantities if one.unit is not None
        }
        days = {("date", one.readings[0]) for one in self.unit.dates if one.readings[0].day}
        return frozenset({*amounts, *days})

    def has(self, kind: Cue) -> bool:
        """Return whether it has a value of a kind."""
        return kind.has_value is not None and kind.has_value(self.unit)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The numbers and codes that it names."""
        return labels_in(self.text)

    @property
    def asks(self) -> bool:
        """Whether it is a question itself."""
        return self.text.rstrip('"”’»)]*_ ').endswith(("?", "？"))

    def stems_of(self, text: str) -> frozenset[str]:
        return frozenset(content_stems(text.replace("_", " "), self.language))


def labels_in(text: str) -> frozenset[str]:
    """Return the numbers and codes by which a thing can be named: no dates, and no amounts with a unit."""
    return frozenset(label.casefold() for label in _LABEL.findall(without_values(text)))


def parts_with_values(unit: SourceUnit) -> list[SourceUnit]:
    """Return the parts of a unit that have a value each: its cells, else its dates and amounts."""
    if unit.cells:
        return [replace(unit, cells=(cell,)) for cell in unit.cells]
    texts = [*(date.text for date in unit.dates), *(amount.text for amount in unit.quantities)]
    return [replace(unit, text=text) for text in texts]


def without_values(text: str) -> str:
    """Return a text with blanks in place of its dates and of its amounts with a unit."""
    plain = masked_dates(text, find_dates(text))
    for amount in find_quantities(plain):
        if amount.unit is not None:
            plain = plain[: amount.start] + " " * (amount.end - amount.start) + plain[amount.end :]
    return plain


def evidence_of_line(text: str, heading: str = "", source: str = "") -> SourceStatement:
    """Read a line of a draft as evidence, under its heading and the name of its source."""
    cells = tuple(named_cells(text))
    unit = SourceUnit(
        number=0,
        order=0,
        text=text,
        context="",
        language=language_of(text),
        cells=cells,
        path=(heading,) if heading else (),
    )
    return SourceStatement(unit=unit, title=source, text=text, kind=Kind.PROSE, order=0, about=source)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadSource:
    """A source by its passages: what can be quoted of it, and the date that it bears.

    `about` are its title, its file and the values that it begins with, `subject` is that of a mail, `tables` are the
    rows of its tables, if it was read as one passage. `is_whole` says that nothing of it is missing, and no other
    source.
    """

    number: int
    title: str
    file: str
    about: str
    about_stems: frozenset[str]
    evidence: tuple[SourceStatement, ...]
    date: DateMention | None
    subject: str = ""
    tables: tuple[tuple[SourceUnit, ...], ...] = ()
    is_whole: bool = False

    @cached_property
    def labels(self) -> frozenset[str]:
        """The numbers and codes that name it."""
        return labels_in(self.about)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of the words that tell whose it is, or what it is about."""
        about = frozenset(content_stems(_MAIL_ADDRESS.sub(" ", self.about.replace("_", " "))))
        return frozenset(one for one in about - _ADDRESS_PARTS if not any(map(str.isdigit, one)))


def read_sources(passages: Sequence[Passage]) -> tuple[ReadSource, ...]:
    """Read the passages: every statement that can be quoted once, in the order of passages and text."""
    sources: list[ReadSource] = []
    languages = Counter(unit.language for one in passages for unit in _units(one)[:1] if unit.language)
    language = languages.most_common(1)[0][0] if languages else None
    order = 0
    for number in dict.fromkeys(passage.number for passage in passages):
        own = [passage for passage in passages if passage.number == number]
        first, units = own[0], _units(own[0])
        about = " ".join((first.title, first.file, *_values_at_the_beginning(units)))
        distinct = {
            one.text: one for passage in reversed(own) for one in reversed([*_evidence(passage, about)])
        }
        evidence = tuple(
            replace(one, order=order + at, default_language=language)
            for at, one in enumerate(reversed(distinct.values()))
        )
        order += len(evidence)
        sources.append(
            ReadSource(
                number=number,
                title=first.title,
                file=first.file.rpartition("/")[2],
                about=about,
                about_stems=frozenset(
                    content_stems(about.replace("_", " "), units[0].language or language if units else None)
                ),
                evidence=evidence,
                date=_date_of(first, units),
                subject=_subject_of(units),
                tables=_tables(units) if len(own) == 1 else (),
                is_whole=first.is_whole,
            )
        )
    return tuple(sources)


def _tables(units: Sequence[SourceUnit]) -> tuple[tuple[SourceUnit, ...], ...]:
    """The rows of each table, in order."""
    tables: dict[tuple[int, tuple[str, ...]], list[SourceUnit]] = {}
    for unit in units:
        if unit.cells:
            tables.setdefault((unit.table, unit.path), []).append(unit)
    return tuple(map(tuple, tables.values()))


def _units(passage: Passage) -> Sequence[SourceUnit]:
    text = with_bars(without_history(passage.text))
    return SourceText(number=passage.number, title=passage.title, text=text).units


def _values_at_the_beginning(units: Sequence[SourceUnit]) -> Iterator[str]:
    """The values that a source begins with, such as the header of an e-mail."""
    for unit in units[:_HEAD_UNITS]:
        values = [] if unit.cells else named_values(unit.text)
        yield from (value.text for value in values)
        if values:
            continue
        if not HEADING.match(unit.text):
            return


def _subject_of(units: Sequence[SourceUnit]) -> str:
    """The subject in the head of a mail, without "Re:"; empty where there is none."""
    values = (value for unit in units[:_HEAD_UNITS] if not unit.cells for value in named_values(unit.text))
    return next((_REPLY.sub("", one.text) for one in values if one.head.lower() in _SUBJECTS), "")


def _date_of(passage: Passage, units: Sequence[SourceUnit]) -> DateMention | None:
    """The date of a source: that of its first values and lines, else of its title or file."""
    texts = [unit.text for unit in units[:_HEAD_UNITS] if _is_dateline(unit)]
    names = _DAY_IN_NAME.findall(f"{passage.title} {passage.file}")
    days = (
        date
        for text in (*texts, passage.title, *names)
        for date in find_dates(text)
        if date.readings[0].year and date.readings[0].day
    )
    return next(days, None)


def _is_dateline(unit: SourceUnit) -> bool:
    """Return whether a unit dates its source: "Date: …", or a short line that is no sentence."""
    if values := named_values(unit.text):
        # "Dates: 4 May to 8 May 2026" are those of an event, and so is "Fecha: domingo 25 de octubre".
        is_event = values[0].head.lower().endswith("s") or _WEEKDAY.match(values[0].text)
        is_one = not is_event and len(find_dates(unit.text)) == 1
        return not unit.cells and is_one and is_dateline_name(values[0].head)
    is_short = not unit.cells and len(unit.text) <= _DATELINE_CHARS_MAX
    return is_short and (unit.text[-1:] not in {".", "!", "?"} or _MADE.match(unit.text) is not None)


def is_dateline_name(name: str) -> bool:
    """Return whether a value with a name dates its source: "Date", "Issued"."""
    return set(content_stems(name)) <= _DATELINES


def _evidence(passage: Passage, about: str) -> Iterator[SourceStatement]:
    units = _units(passage)
    blocks = _blocks(units)
    in_code = False
    heading: tuple[str, ...] = ()
    before: SourceUnit | None = None
    for at, unit in enumerate(units):
        is_lead, heading = unit.path != heading, unit.path
        if is_fence(unit.text):
            in_code = not in_code
        elif not HEADING.match(unit.text) and not _names_columns(unit, units[at + 1 : at + 2]):
            kind = Kind.CODE if in_code else _kind(unit)
            for part, text in _quotes(unit, kind, before):
                yield SourceStatement(
                    unit=part,
                    title=passage.title,
                    text=text,
                    kind=kind,
                    order=0,
                    lead=is_lead,
                    beside=blocks.get(at, ("", ""))[1],
                    names_beside=blocks.get(at, ("", ""))[0],
                    about=about,
                )
            before = unit if kind is Kind.PROSE else None
            continue
        heading = () if HEADING.match(unit.text) else heading
        before = None


def _blocks(units: Sequence[SourceUnit]) -> dict[int, tuple[str, str]]:
    """The names and the values of each block of them, by the places of its units."""
    blocks: dict[int, tuple[str, str]] = {}
    run: dict[int, tuple[str, str]] = {}
    for at, unit in enumerate(units):
        values = [] if unit.cells else named_values(unit.text)
        goes_on = bool(values) and at - 1 in run and unit.lines[0] - units[at - 1].lines[1] <= 1
        if not goes_on:
            blocks |= _joined(run)
            run = {}
        if values:
            run[at] = " ".join(value.head for value in values), " ".join(value.text for value in values)
    return blocks | _joined(run)


def _joined(run: Mapping[int, tuple[str, str]]) -> dict[int, tuple[str, str]]:
    names, values = (" ".join(texts) for texts in zip(*run.values(), strict=True)) if run else ("", "")
    return dict.fromkeys(run, (names, values))


def _names_columns(unit: SourceUnit, following: Sequence[SourceUnit]) -> bool:
    """Return whether a unit is the head of the table that follows, which states nothing alone."""
    heads = [] if unit.cells else cells_of(unit.text)
    return bool(heads and following and following[0].cells) and heads[0] == following[0].cells[0].head


def _kind(unit: SourceUnit) -> Kind:
    if unit.cells or cells_of(unit.text):
        return Kind.RECORD
    if named_values(unit.text):
        return Kind.FIELD
    return Kind.ITEM if LIST_ITEM.match(unit.text) else Kind.PROSE


def _quotes(unit: SourceUnit, kind: Kind, before: SourceUnit | None) -> Iterator[tuple[SourceUnit, str]]:
    """The quotable parts of a unit with their texts: values that stand side by side are several.

    A sentence that leans on the one before is also quoted with that.
    """
    parts = [unit]
    if kind is Kind.FIELD and len(unit.fields) > 1:
        parts = [replace(unit, text=f"{value.head}: {value.text}") for value in unit.fields]
    for part in parts:
        text = _quoted(part, kind)
        leans = kind is Kind.PROSE and before is not None and is_anaphoric(text) and _adjoin(before, unit)
        joined = f"{_quoted(before, kind)} {text}" if leans and before is not None else text
        for one in dict.fromkeys((joined, text)):
            quote = _TRAILING_MARKS.sub("", one).strip()
            if len(one) <= max(_JOINED_CHARS_MAX, len(text)) and is_quotable(quote, kind):
                yield part, quote


def _quoted(unit: SourceUnit, kind: Kind) -> str:
    if unit.cells:
        return _record(unit.cells)
    if kind is Kind.RECORD:
        return _record([Cell(head="", text=cell) for cell in cells_of(unit.text)])
    text = _BLOCKQUOTE.sub("", unit.text)
    return text if kind is Kind.CODE else " ".join(LIST_ITEM.sub("", text).split())


def _record(cells: Sequence[Cell]) -> str:
    """The cells of a record with their names, as many as there is room for."""
    text = ""
    for cell in cells:
        if cell.text:
            value = shorten(cell.text, _CELL_CHARS_MAX)
            part = f"{cell.head}: {value}" if cell.head else value
            if text and len(text) + len(part) > _RECORD_CHARS_MAX:
                break
            text = f"{text}; {part}" if text else part
    return text


def _adjoin(first: SourceUnit, second: SourceUnit) -> bool:
    """Return whether a sentence follows another one without anything between them."""
    is_sentence = _kind(second) is Kind.PROSE and not HEADING.match(second.text) and not is_fence(second.text)
    return is_sentence and second.lines[0] - first.lines[1] <= 1

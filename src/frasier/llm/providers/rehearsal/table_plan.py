"""The table of a directive that asks for a list of all things which the documents of a collection are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frasier.kernel.cell_values import yes_or_no
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import ColumnToFill, Passage, PlanInputs
from frasier.llm.providers.rehearsal import grammar
from frasier.llm.providers.rehearsal.aspects import aspects, column_names
from frasier.llm.providers.rehearsal.evidence import read_sources
from frasier.llm.providers.rehearsal.extract import NAME_OF, WHETHER, cells_of_document
from frasier.llm.providers.rehearsal.named_rows import names
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import words
from frasier.llm.reply_schemas import RowCondition, TableColumn, TablePlan
from frasier.llm.untrusted_text import one_line

_DOCUMENTS_MIN = 5
_COLUMNS_MAX = 8
_COLUMN_CHARS = 40
_ASKS_CHARS = 200
_ALIKE = 0.8
_FILLED = 0.3
_CONDITIONS_MAX = 6
_LISTS = re.compile(
    r"^\W*(?:please\s+)?(?:"
    r"(?:list|tabulate|name|show|give|find)\s+(?:me\s+)?(?:every|each|all)\s+(?:the\s+)?|"
    r"(?:(?:make|create|compile|prepare|draw up|write|give me|i need)\s+)?(?:an?\s+|the\s+)?"
    r"(?:list|table|register)\s+of\s+(?:every|each|all)\s+(?:the\s+)?|"
    r"(?:liste|nenne|zeige)\s+(?:alle|jede[ns]?)\s+|(?:erstelle\s+)?(?:eine\s+)?(?:liste|tabelle)\s+aller\s+|"
    r"(?:liste[rz]?|énumère[rz]?|indique[rz]?)\s+(?:tou[st]e?s?\s+les|chaque)\s+|"
    r"(?:enumera|lista|indica)\s+(?:tod[oa]s\s+l[oa]s|cada)\s+|"
    r"(?:crea|haz|cree[rz]?|fais|maak|crie|faz|redacta)?\s*(?:une?\s+|una\s+|un\s+|een\s+|uma\s+)?(?:"
    r"(?:liste|tableau)\s+(?:de\s+)?(?:tou[st]e?s?\s+les|chaque|des)|(?:lista|tabla)\s+de\s+(?:tod[oa]s\s+)?l[oa]s|"
    r"(?:lijst|tabel|overzicht)\s+van\s+(?:alle|elke|de)|(?:elenco|lista|tabella)\s+(?:di\s+tutt[ie]\s+(?:gli|i|le)|de(?:gli|i|lle))|"
    r"(?:lista|tabela)\s+(?:de\s+tod[oa]s\s+[oa]s|d[oa]s))\s+|"
    r"(?:noem|toon|geef)\s+(?:alle|elke)\s+|(?:elenca|mostra|indica)\s+(?:tutt[ie]\s+)?(?:gli|i|le|ogni)\s+|"
    r"(?:enumere|liste|mostre|indique)\s+(?:tod[oa]s\s+[oa]s|cada)\s+)",
    re.IGNORECASE,
)
_ASKED_OF_EACH = re.compile(
    r"(?:,\s+(?:each\s+|jeweils\s+)?(?:with|including|along with|mit|avec|con|met|com)\s+(?:its\s+|their\s+|the\s+)?|"
    r"\s+(?:with|mit|avec|con|met|com)\s+(?:its|their|the|ihre[rnm]?|seine[rnm]?|leurs?|sus?|hun|i loro|as suas|"
    r"os seus)\s+)(?P<columns>[^?!]{2,200})$",
    re.IGNORECASE,
)
# Of data, what follows a plain "with" is asked of each, too, unless it has a number, as a condition may.
_WITH = re.compile(
    r",?\s+(?:with|including|along with|mit|avec|con|met|com)\s+(?:its\s+|their\s+|the\s+)?(?=[^\d:?!]*$)",
    re.IGNORECASE,
)
_TABLE_OF = re.compile(
    r"^\W*(?:please\s+)?(?:\w+\s+)?(?:an?|the|eine)\s+(?:table|list|register|liste|tabelle)\s+(?:with|of|for|mit|aus|von)\s+",
    re.IGNORECASE,
)
_THING = re.compile(
    r"(?P<thing>[\w-]+(?:\s+[\w-]+){0,2}?)\s*(?:$|,?\s+(?=(?:that|whose|which|who|with|under|in|from|for|of|by|before|after|"
    r"below|above|not|due|die|der|das|deren|unter|mit|aus|qui|dont|sous|que|bajo|con|met|onder|che|sotto|com|abaixo|[\w-]+ed)\b))",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"^(?:(?:that|which|who|die|der|das|qui|que|che)\s+(?:(?:is|are|was|were|ist|sind|est|sont|es|son|zijn|è|sono|é|são)\s+)?|"
    r"(?:whose|deren|dessen|cuy[oa]s?|dont)\s+)",
    re.IGNORECASE,
)
_NEXT_CONDITION = re.compile(r"\s+(?:and|und|et|y|en|e)\s+", re.IGNORECASE)
_DATED_LINE = re.compile(r"\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4})\b")


@dataclass(frozen=True, kw_only=True)
class _Listing:
    """A directive for a list: the thing, what is asked of each, and the conditions that it has to meet."""

    thing: str
    asked: Sequence[str]
    conditions: Sequence[str]


def table_plan(inputs: PlanInputs) -> TablePlan | None:
    """Plan a table with a row for each document, where the directive asks for a list and each document is of one thing.

    A column tells of each condition whether a document meets it, does not, or does not decide it; those that do not
    meet one are left out.
    """
    is_data = inputs.kind is DeliverableKind.DATA
    listing = _read(_with_columns(inputs.directive) if is_data else inputs.directive)
    count = max(len(inputs.documents), len({passage.number for passage in inputs.outline}))
    if listing is None or count < _DOCUMENTS_MIN or not _is_one_thing_each(inputs.outline):
        return None
    columns = [
        _column(listing.thing, f"{NAME_OF}{listing.thing}"),
        *(_column(name, name) for name in listing.asked),
    ]
    conditions = (*_conditions_of_thing(listing.thing, inputs.outline), *listing.conditions)
    tested = [_column(condition, f"{WHETHER}{condition}") for condition in conditions]
    columns = list({column.name: column for column in (*columns, *tested)}.values())[:_COLUMNS_MAX]
    if max(_filled(columns[1:], inputs.outline), default=1.0) < _FILLED:
        return None
    filters = [
        RowCondition(column=column.name, operator="is_not", value="no")
        for column in columns
        if column in tested
    ]
    return TablePlan(columns=columns, conditions=filters[:_CONDITIONS_MAX])


def data_table(inputs: PlanInputs) -> TablePlan:
    """Plan a table with a column for everything that a directive for data names, also if no document has it.

    The thing that is listed is a column as well: each row of a table may have it, or each document may be of one.
    """
    listing = _read(_with_columns(inputs.directive))
    if listing is not None and listing.asked and not listing.conditions:
        asks = f"{NAME_OF}{listing.thing}" if _is_one_thing_each(inputs.outline) else listing.thing
        columns = [_column(listing.thing, asks), *(_column(name, name) for name in listing.asked)]
    else:
        directive = _TABLE_OF.sub("", inputs.directive.strip(" .!"))
        names = column_names(_WITH.sub(", ", directive)) or ("statement",)
        columns = [_column(name, name) for name in names]
    distinct = {column.name.casefold(): column for column in reversed(columns)}
    return TablePlan(columns=list(reversed(distinct.values()))[:_COLUMNS_MAX])


def _with_columns(directive: str) -> str:
    """A directive for data in which a comma stands before "with", as where it can only mean what is asked of each."""
    return _WITH.sub(", with ", one_line(directive).rstrip(" .!"))


def _read(directive: str) -> _Listing | None:
    text = one_line(directive).rstrip(" .!?")
    begin = _LISTS.match(text)
    if begin is None or len(aspects(directive)) > 1:
        return None
    rest = text[begin.end() :]
    asked = _ASKED_OF_EACH.search(rest)
    columns = grammar.SEPARATOR.split(asked["columns"]) if asked else []
    rest = rest[: asked.start()] if asked else rest
    thing = _THING.match(rest)
    if thing is None:
        return None
    condition = _RELATIVE.sub("", rest[thing.end() :].strip(" ,"))
    return _Listing(
        thing=thing["thing"],
        asked=[one for name in columns if (one := grammar.DETERMINER.sub("", name.strip()))],
        conditions=[part for part in _NEXT_CONDITION.split(condition) if part],
    )


def _column(name: str, asks: str) -> TableColumn:
    return TableColumn(name=shorten(name, _COLUMN_CHARS), asks=shorten(asks, _ASKS_CHARS), kind="text")


def _conditions_of_thing(thing: str, outline: Sequence[Passage]) -> Iterator[str]:
    """Yield the words for a thing to which the documents say yes or no: the "available pumps" have a field for that."""
    heads = {
        cell.head
        for source in read_sources(tuple(outline))
        for one in source.evidence
        for cell in one.unit.fields
        if yes_or_no(cell.text) is not None
    }
    yield from (word for word in words(thing) if any(names(word, head) for head in heads))


def _is_one_thing_each(outline: Sequence[Passage]) -> bool:
    """Return whether most documents are about one thing: they have neither tables nor entries by date."""
    single = 0
    sources = read_sources(tuple(outline))
    for source in sources:
        entries = sum(
            one.kind is Kind.RECORD or _DATED_LINE.match(one.text) is not None for one in source.evidence
        )
        single += entries <= 1
    return bool(sources) and single >= _ALIKE * len(sources)


def _filled(columns: Sequence[TableColumn], outline: Sequence[Passage]) -> list[float]:
    """The share of documents that have a value for a column or decide a condition, by their beginnings."""
    to_fill = [ColumnToFill(name=one.name, asks=one.asks, kind=one.kind) for one in columns]
    rows = [cells_of_document(to_fill, passage) for passage in outline]
    return [
        sum(row[at].value not in {"", UNDECIDED.lower()} for row in rows) / max(len(rows), 1)
        for at in range(len(columns))
    ]

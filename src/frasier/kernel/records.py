"""Records in a source: rows of tables and objects of JSON, as cells with the names of their columns. Pure."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from frasier.kernel.sentences import split_sentences

# A single dash without a colon is an empty cell.
_RULE_CELL = r"\s*(?::?-{2,}:?|:-:?|-:)\s*"
_TABLE_RULE = re.compile(rf"^\|?{_RULE_CELL}(?:\|{_RULE_CELL})*\|?$")
_CELLS_MIN = 3
_LINES_REMEMBERED = 4_096  # a line is looked at again by whatever joins wrapped ones
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d\d?(?![\d,]))")
_PRICE = re.compile(r"\d[.,]\d\d(?!\d)")
_BLANKS_OF_PROSE = 4  # a sentence with amounts such as "1,240.00" has commas without blanks, too
_NAMED_CELL = re.compile(r"(?P<head>[^\W_][^:;|]{0,58}):\s+(?P<text>\S.*)")
_QUOTED_CELL = re.compile(r'(?<![^,;\t])"(?:[^"]|"")*"(?![^,;\t])')
_YEAR = re.compile(r"(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?")
_COMMENT = "#"
_OBJECT = re.compile(r"(?:- )?(?:(?P<name>[^\W\d_][^:{}]{0,40}):\s+)?(?P<object>\{[^{}]*:[^{}]*\}),?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value of a record, with the name of its column or key."""

    head: str
    text: str


def is_table_rule(line: str) -> bool:
    """Return whether the line only divides the head of a table from its rows."""
    return bool(_TABLE_RULE.match(line))


def cells_of(line: str) -> list[str]:
    """Return the cells of a line, if it is the row of a table; otherwise none."""
    if line.startswith(_COMMENT):
        return []
    if line.startswith("|"):
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    bare = _QUOTED_CELL.sub("", line)
    for mark in (";", "\t"):
        is_prose = f"{mark} " in bare and line.endswith(".")
        if bare.count(mark) >= _CELLS_MIN - 1 and not is_prose:
            return _divided(line, mark)
    is_prose = line.endswith((".", "!", "?")) and line.count(" ") >= _BLANKS_OF_PROSE
    dividing = _THOUSANDS.sub("", bare) if _has_word(bare) else bare
    if " " in bare and "," not in (whole := _DECIMAL_COMMA.sub("", dividing)):
        dividing = whole  # "Freight 1 2.000,00 2.000,00" of a PDF's table has no cells that commas divide
    if dividing.count(",") >= _CELLS_MIN - 1 and ", " not in bare and not is_prose:
        return _divided(line, ",")
    return []


def _divided(line: str, mark: str) -> list[str]:
    """Return the cells between marks that do not stand in a quoted cell."""
    cells = next(csv.reader([line], delimiter=mark)) if _QUOTED_CELL.search(line) else line.split(mark)
    return [cell.strip() for cell in cells]


def is_head(line: str) -> bool:
    """Return whether the cells of a line can name columns: without bars none is a number or a date, or has a price."""
    cells = cells_of(line)
    return bool(cells) and (
        line.startswith("|")
        or not any(
            (
                cell[:1].isdigit()
                and not _has_word(cell)
                and not (_YEAR.fullmatch(cell) and _has_word(cells[0]))
            )
            or _PRICE.search(cell)
            for cell in cells
        )
    )


def _has_word(cell: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2,}", cell))


def cells_under(head: Sequence[str], line: str) -> list[str]:
    """Return the cells of a row under a head, whose commas may also stand inside of the last cell."""
    cells = cells_of(line)
    if not cells and not line.startswith(_COMMENT) and line.count(",") >= len(head) - 1 >= _CELLS_MIN - 1:
        cells = [cell.strip() for cell in line.split(",", len(head) - 1)]
    return cells


def named_cells(line: str) -> list[Cell]:
    """Return the cells of a line "name: value; name: value", as the rows of a CSV file are kept, or of one object.

    An object is written as in JSON, or as in YAML: "- {name: value, name: value}". Other lines have none.
    """
    if match := _OBJECT.fullmatch(line):
        name = [Cell(head="", text=match["name"])] if match["name"] else []
        return [*name, *_object_cells(match["object"])]
    cells: list[Cell] = []
    for part in line.split("; "):
        if match := _NAMED_CELL.fullmatch(part.strip()):
            cells.append(Cell(head=match["head"].strip(), text=match["text"].strip()))
        elif not cells:
            return []
        else:  # the value itself has a semicolon
            cells[-1] = Cell(head=cells[-1].head, text=f"{cells[-1].text}; {part}")
    is_prose = len(cells) < _CELLS_MIN - 1 or any(len(split_sentences(cell.text)) > 1 for cell in cells)
    return [] if is_prose else cells


@lru_cache(maxsize=_LINES_REMEMBERED)
def _object_cells(text: str) -> Sequence[Cell]:
    try:
        value = json.loads(text)
    except ValueError:
        value = _read_yaml(text)
    return tuple(cell for _, cells in _records(value, "") for cell in cells) if value else ()


def _read_yaml(text: str) -> object:
    """Return the texts, lists and mappings of a line of YAML; None where it is none."""
    import yaml  # noqa: PLC0415  slow to load, and few sources have objects of YAML in a line

    try:
        return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506  makes no other objects
    except (yaml.YAMLError, RecursionError):
        return None


def json_records(text: str) -> list[tuple[str, list[Cell]]] | None:
    """Return the records of a JSON text, each with the path that leads to it; None where it is no JSON.

    A record is an object with values of its own; the values of the objects inside of it are records themselves.
    """
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        value = json.loads(stripped)
    except ValueError:
        return None
    return list(_records(value, ""))


def _records(value: object, path: str) -> Iterator[tuple[str, list[Cell]]]:
    if isinstance(value, Mapping):
        cells: list[Cell] = []
        nested: list[tuple[str, object]] = []
        for key, inner in value.items():
            if isinstance(inner, Mapping) or (
                isinstance(inner, list) and any(isinstance(one, Mapping) for one in inner)
            ):
                nested.append((key, inner))
            elif isinstance(inner, list):
                cells += [Cell(head=key, text=_as_text(one)) for one in inner]
            else:
                cells.append(Cell(head=key, text=_as_text(inner)))
        if cells:
            yield path, cells
        for key, inner in nested:
            yield from _records(inner, f"{path} {key}".strip())
    elif isinstance(value, list):
        for inner in value:
            yield from _records(inner, path)
    else:
        yield path, [Cell(head="", text=_as_text(value))]


def _as_text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

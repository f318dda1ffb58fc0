"""Planted faults: take a text whose statements are true and yield statements that its cited sources do not carry.

    python -m bench.deliverables.plant_faults [--seed N] [TEXT.json ...]

prints one fault a line as JSON. It uses nothing of `frasier`, so that it shares no code with what it measures. The same
seed yields the same faults. A change that might still be true by the cited sources is not made: a new number, date or
unit does not occur in the excerpts, another source lacks the facts, and a bound is only changed to a stronger one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from bench.deliverables.fault_words import (
    ADDED_NEGATIONS,
    APPROXIMATE,
    DROPPED_NEGATIONS,
    GENERIC_SENTENCES,
    GENERIC_TAILS,
    INCLUDING,
    INVENTED_NAMES,
    LOWER_BOUNDS,
    MONTHS,
    NEGATIVE,
    NUMBER_WORDS,
    SHORT_MONTHS,
    THRESHOLDS,
    UNITS,
    UNIVERSAL_WORDS,
    UPPER_BOUNDS,
)

FOLDER = Path(__file__).parent
DEFAULT_SEED = 20260711
KINDS = ("number", "date", "name", "unit", "negation", "source", "added")

_CITATION = re.compile(r"\[(\d+)\]")
_LAST_CITATIONS = re.compile(r"\s*(?:\[\d+\])+[.!?]?$")
_NUMBER = re.compile(
    r"(?<![\w./:,\-§#])\d{1,3}(?:(?P<group>[.,\u00a0\u202f ])\d{3}(?:(?P=group)\d{3})*(?!\d))?\d*(?:[.,]\d+)?"
    r"(?![\w/:]|[.,]\d|-\w|\. \S)"
)
_TIME = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)")
_YEAR = re.compile(r"(?<![\w.,/\-])(?:19[5-9]|20[0-4])\d(?![\w/]|[.,]\d|-\d)")
_MONTH_NAMES = {
    name.lower(): number for names in MONTHS.values() for number, name in enumerate(names, 1)
} | SHORT_MONTHS
_MONTH = "|".join(sorted(_MONTH_NAMES, key=len, reverse=True))
_DAY_MONTH = re.compile(
    rf"(?<![\d,])(?P<day>[0-3]?\d)(?:\.|st|nd|rd|th|er)? (?:de )?(?P<month>{_MONTH})\b(?!-)", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>[0-3]?\d)(?!\d)(?! ?(?:,\d|\.\d|%))", re.IGNORECASE)
_ISO = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?!\d)")
_DOTTED = re.compile(r"(?<!\d)(?P<day>[0-3]?\d)[./](?P<month>[01]?\d)[./](?P<year>(?:19|20)\d\d)(?!\d)")
_QUARTER = re.compile(r"\bQ(?P<quarter>[1-4])\b")
_ONLY_MONTH = re.compile(
    rf"\b(?:in|since|until|of|from|mid-|early|late|im|seit|bis|Ende|Anfang|Mitte|Im|ab|en|fin|pour|desde|hasta|de|In|Since)"
    rf"[ -]?(?P<month>{_MONTH})\b",
    re.IGNORECASE,
)
_ALL_NUMBER_WORDS = {word: value for words in NUMBER_WORDS.values() for word, value in words.items()}


@dataclass(frozen=True)
class Fault:
    """A statement that its cited sources do not carry, and the true one that it was made from."""

    text: str
    block: int
    kind: str
    variant: str
    statement: str
    original: str


@dataclass(frozen=True)
class Case:
    """A true statement with what its faults are made from."""

    statement: str
    kind: str
    passage: str
    cited: tuple[int, ...]
    sources: dict[int, str]
    language: str
    material: dict[str, Any]

    @property
    def cited_text(self) -> str:
        return "\n".join(self.sources[number] for number in self.cited)

    @property
    def own_language(self) -> str:
        return self.language if self.language in MONTHS else "en"


# --- numbers


def readings(literal: str) -> set[Decimal]:
    """Return the values that a written number may have: 1.204 is 1204 as well as 1.204."""
    plain = re.sub(r"[\u00a0\u202f ]", "", literal)
    values = set()
    for group, point in ((",", "."), (".", ",")):
        if re.fullmatch(rf"\d+(?:{re.escape(group)}\d{{3}})*(?:{re.escape(point)}\d+)?", plain):
            values.add(Decimal(plain.replace(group, "").replace(point, ".")))
    return values


@cache
def values_in(text: str) -> frozenset[Decimal]:
    """Return every value that a text may state, in figures and in words."""
    literals = re.findall(r"\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|\d+(?:[.,]\d+)?|\d+", text)
    values = {value for literal in literals for value in readings(literal)}
    values |= {Decimal(part) for part in re.findall(r"\d+", text)}
    words = re.findall(r"[a-zäöüßéèûôíó-]+", text.lower())
    return frozenset(values) | {
        Decimal(_ALL_NUMBER_WORDS[word]) for word in words if word in _ALL_NUMBER_WORDS
    }


def _point(language: str) -> str:
    return "." if language == "en" else ","


def _value(literal: str, language: str) -> Decimal:
    point = _point(language)
    kept = re.sub(rf"[^\d{re.escape(point)}]", "", literal)
    return Decimal(kept.replace(",", "."))


def _written(value: Decimal, literal: str, language: str) -> str:
    """Write a value in the form of a literal: its separators and its number of decimals."""
    point, group = (".", ",") if language == "en" else (",", ".")
    if match := re.search(r"\d([.,\u00a0\u202f ])\d{3}(?!\d)", literal):
        group = match[1] if match[1] != point else ""
    else:
        group = ""
    decimals = len(literal.rpartition(point)[2]) if point in literal else 0
    whole, _, fraction = f"{value:.{decimals}f}".partition(".")
    if group and len(whole) > 3:
        whole = f"{int(whole):,}".replace(",", group)
    return whole + (point + fraction if fraction else "")


def _spans(case: Case) -> list[tuple[int, int]]:
    """Return where citations, dates, times and names are: their digits are no numbers of the statement."""
    statement = case.statement
    patterns = (_CITATION, _ISO, _DOTTED, _DAY_MONTH, _MONTH_DAY, _QUARTER, _TIME, _YEAR)
    spans = [match.span() for pattern in patterns for match in pattern.finditer(statement)]
    for groups in case.material.get("names", {}).values():
        for alias in (alias for group in groups for alias in group):
            spans += [match.span() for match in re.finditer(re.escape(alias), statement)]
    return spans


def _numbers(case: Case) -> list[re.Match[str]]:
    blocked = _spans(case)
    matches = []
    for match in _NUMBER.finditer(case.statement):
        if case.own_language != "fr" and re.search(r"\s", match[0]):
            continue
        if match[0].count(_point(case.own_language)) > 1:  # written as in another language
            continue
        if all(match.end() <= start or match.start() >= end for start, end in blocked):
            matches.append(match)
    return matches


def _candidates(literal: str, case: Case, chance: random.Random) -> list[tuple[str, str]]:
    """Return the variants of a number and what each makes of it."""
    language = case.own_language
    value = _value(literal, language)
    digits = [index for index, char in enumerate(literal) if char.isdigit()]
    swapped = []
    for left, right in itertools.pairwise(digits):
        if literal[left] != literal[right] and not (left == digits[0] and literal[right] == "0"):
            chars = list(literal)
            chars[left], chars[right] = chars[right], chars[left]
            swapped.append("".join(chars))
    step = max(abs(value) / 10, Decimal(1).scaleb(-_decimals(literal, language)))
    variants = [("times_ten", _written(value * 10, literal, language))]
    variants += [("ten_percent", _written(value + sign * step, literal, language)) for sign in (1, -1)]
    variants += [("digit_swap", chance.choice(swapped))] if swapped else []
    others = [
        other
        for other in re.findall(
            r"(?<![\w.,:/+-])(?!0\d|(?:19|20)\d\d)\d+(?:[.,]\d+)?(?![\w:/-]|[.,]\d)", case.cited_text
        )
        if readings(other)
        and value / 20 <= min(readings(other)) <= value * 20
        and _decimals(other, language) == _decimals(literal, language)
    ]
    variants += [("other_number", chance.choice(others))] if others else []
    chance.shuffle(variants)
    return variants


def _decimals(literal: str, language: str) -> int:
    point = "." if language == "en" else ","
    return len(literal.rpartition(point)[2]) if point in literal else 0


def _bound(before: str) -> int:
    """Return 1 after words such as `at least`, -1 after words such as `at most`, and otherwise 0."""
    tail = r")(?: [A-Z]{3}|[ €£$])*\W*$"
    if re.search(rf"\b(?:{LOWER_BOUNDS}{tail}", before, re.IGNORECASE) and not re.search(
        r"no more than\W*$", before
    ):
        return 1
    return -1 if re.search(rf"\b(?:{UPPER_BOUNDS}{tail}", before, re.IGNORECASE) else 0


def _acceptable(old: Decimal, new: Decimal, case: Case, start: int) -> bool:
    """Tell whether a new value is false where the old one stood."""
    before = case.statement[:start].rstrip(" €£$(")
    last_word = re.findall(r"[^\W\d]+", before)[-1:]
    near = bool(last_word and last_word[0].lower() in APPROXIMATE) or "≈" in before[-3:]
    if new <= 0 or old == new or (near and abs(new - old) < old / 5):
        return False
    if re.search(rf"\b(?:{THRESHOLDS})(?: [A-Z]{{3}})?\W*$", case.statement[:start], re.IGNORECASE):
        return False
    bound = _bound(before)
    return bound == 0 or (new > old) == (bound > 0)


def number_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    known = values_in(case.passage) | values_in(_CITATION.sub("", case.statement))
    matches = _numbers(case)
    chance.shuffle(matches)
    for match in matches:
        old = _value(match[0], case.own_language)
        for variant, literal in _candidates(match[0], case, chance):
            new = readings(literal)
            if (
                new
                and not new & known
                and _acceptable(old, _value(literal, case.own_language), case, match.start())
            ):
                yield variant, _replaced(case.statement, match.span(), literal)
                break
    words = NUMBER_WORDS[case.own_language]
    for match in re.finditer(
        rf"\b(?:{'|'.join(sorted(words, key=len, reverse=True))})\b(?!-)", case.statement, re.IGNORECASE
    ):
        old = Decimal(words[match[0].lower()])
        choices = [
            word
            for word, value in words.items()
            if value not in known
            and old / 3 <= value <= old * 3
            and _acceptable(old, Decimal(value), case, match.start())
        ]
        if choices:
            word = chance.choice(choices)
            yield "number_word", _replaced(case.statement, match.span(), _capitalised_like(word, match[0]))
    for match in _TIME.finditer(case.statement):
        hours, minutes = match[0].split(":")
        new = f"{hours}:{(int(minutes) + chance.choice((7, 12, 18))) % 60:02d}"
        if new not in case.cited_text:
            yield "time", _replaced(case.statement, match.span(), new)


# --- dates


def days_in(text: str) -> set[tuple[int, int]]:
    """Return the days of a text as (month, day), in whatever form they are written."""
    days = set()
    for pattern in (_ISO, _DOTTED, _DAY_MONTH, _MONTH_DAY):
        for match in pattern.finditer(text):
            days.add((_month_number(match["month"]), int(match["day"])))
    return days


def _month_number(month: str) -> int:
    return int(month) if month.isdigit() else _MONTH_NAMES[month.lower()]


def _months_in(text: str) -> set[int]:
    named = {_MONTH_NAMES[name.lower()] for name in re.findall(rf"\b(?:{_MONTH})\b", text, re.IGNORECASE)}
    return (
        named | {month for month, _ in days_in(text)} | {int(m) for m in re.findall(r"20\d\d-(\d\d)", text)}
    )


def date_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    known = days_in(case.cited_text)
    for pattern in (_ISO, _DOTTED, _DAY_MONTH, _MONTH_DAY):
        for match in pattern.finditer(case.statement):
            month, day = _month_number(match["month"]), int(match["day"])
            if not (1 <= month <= 12 and 1 <= day <= 31):
                continue
            side = _open_side(case.statement[: match.start()])
            days = [
                d
                for d in range(1, 29)
                if 0 < abs(d - day) <= 9 and (month, d) not in known and (d - day) * side >= 0
            ]
            months = [
                m
                for m in range(1, 13)
                if m != month and (m, day) not in known and day <= 28 and (m - month) * side >= 0
            ]
            if days:
                new = str(chance.choice(days)).zfill(len(match["day"]))
                yield "day", _replaced(case.statement, match.span("day"), new)
            if months:
                new_month = _month_like(chance.choice(months), match["month"], case.own_language)
                yield "month", _replaced(case.statement, match.span("month"), new_month)
    for match in _ONLY_MONTH.finditer(case.statement):
        free = sorted(set(range(1, 13)) - _months_in(case.cited_text))
        if free:
            name = _month_like(chance.choice(free), match["month"], case.own_language)
            yield "month", _replaced(case.statement, match.span("month"), name)
    for match in (*_YEAR.finditer(case.statement), *_QUARTER.finditer(case.statement)):
        yield from _shifted_period(match, case, chance)


def _open_side(before: str) -> int:
    """Return -1 after words such as `since`, 1 after words such as `until`: the side on which another date is false."""
    if re.search(r"\b(?:since|seit|depuis|desde|ab)(?: dem| le| el)?\W*$", before, re.IGNORECASE):
        return -1
    return (
        1 if re.search(r"\b(?:until|bis(?: zum)?|hasta(?: el)?|jusqu'au)\W*$", before, re.IGNORECASE) else 0
    )


def _shifted_period(match: re.Match[str], case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    if match[0].startswith("Q"):
        free = [f"Q{number}" for number in range(1, 5) if f"Q{number}" not in case.cited_text]
        variant = "quarter"
    else:
        year = int(match[0])
        free = [
            str(new) for new in (year - 2, year - 1, year + 1, year + 2) if str(new) not in case.cited_text
        ]
        variant = "year"
    if free:
        yield variant, _replaced(case.statement, match.span(), chance.choice(free))


def _month_like(number: int, written: str, language: str) -> str:
    if written.isdigit():
        return str(number).zfill(len(written))
    name = MONTHS[language][number - 1]
    return name[:3] if len(written) == 3 and written.lower() in SHORT_MONTHS and written != "May" else name


# --- names


def name_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    names = case.material.get("names") or _guessed_names(case)
    for kind, groups in names.items():
        for group in groups:
            present = _present_alias(group, names, case.statement)
            if not present:
                continue
            others = [_closest_alias(other, present) for other in groups if other != group]
            others = [other for other in others if _is_foreign(other, case)]
            if others and chance.random() < 0.7:
                variant, new = "other_name", chance.choice(others)
            else:
                variant, new = (
                    "invented_name",
                    chance.choice(INVENTED_NAMES.get(kind, INVENTED_NAMES["organisation"])),
                )
                new = new if " " in present or kind != "person" else new.split()[-1]
            yield variant, re.sub(rf"(?<!\w){re.escape(present)}(?!\w)", new, case.statement)


def _present_alias(group: list[str], names: dict[str, list[list[str]]], statement: str) -> str:
    """Return the longest alias in the statement, unless it is a part of another name there."""
    every = [alias for groups in names.values() for other in groups for alias in other]
    for alias in sorted(group, key=len, reverse=True):
        if _holds(statement, alias):
            inside = any(alias != longer and alias in longer and longer in statement for longer in every)
            return "" if inside else alias
    return ""


def _closest_alias(group: list[str], model: str) -> str:
    return min(group, key=lambda alias: abs(len(alias.split()) - len(model.split())))


def _guessed_names(case: Case) -> dict[str, list[list[str]]]:
    """Return names of two capitalised words of the collection, for texts without a list of names."""
    pattern = r"(?<![.!?:] )\b[A-ZÄÖÜ][\wäöüßéèáíóúñ]+ [A-ZÄÖÜ][\wäöüßéèáíóúñ]+\b"
    found = {name for text in case.sources.values() for name in re.findall(pattern, text)}
    return {"organisation": [[name] for name in sorted(found)]}


def _holds(text: str, name: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _is_foreign(name: str, case: Case) -> bool:
    """Tell whether no line of the cited sources could carry the statement with this name."""
    low = name.lower()
    if low in case.statement.lower() or low in case.passage.lower():
        return False
    lines = [line for line in case.cited_text.splitlines() if low in line.lower()]
    stated = _stated_values(case.statement)
    return not lines or (bool(stated) and not any(stated & values_in(line) for line in lines))


def _stated_values(statement: str) -> frozenset[Decimal]:
    return values_in(_CITATION.sub("", statement))


# --- units


_SCALELESS = ("EUR", "GBP", "USD", "€", "£", "$", "%", "percent", "Prozent", "pour cent", "por ciento")


def unit_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    units = UNITS[case.own_language]
    alternatives = "|".join(re.escape(unit) for unit in sorted(units, key=len, reverse=True))
    words = "|".join(NUMBER_WORDS[case.own_language])
    after = re.compile(
        rf"(?P<number>\d[\d.,]*|\b(?:{words}))(?P<gap> ?)(?P<unit>{alternatives})(?![\w/²³(])", re.IGNORECASE
    )
    before = re.compile(r"(?<!\w)(?P<unit>EUR |GBP |USD |€|£|\$)(?P<number>\d[\d.,]*)")
    matches = [*after.finditer(case.statement), *before.finditer(case.statement)]
    chance.shuffle(matches)
    for match in matches:
        unit = match["unit"].strip()
        choices = [
            new
            for new in units.get(unit, ())
            if new not in case.passage or new in ("t", "g", "m", "s", "h", "l", "K")
        ]
        zero = not re.search("[1-9]", match["number"]) and match["number"][0] == "0"
        if not choices or zero or case.statement[match.end() :].startswith(" CI"):
            continue
        if _bound(case.statement[: match.start()]) and unit not in _SCALELESS:
            continue
        new = chance.choice(choices) + (" " if match["unit"].endswith(" ") else "")
        if len(new) > 3 and not match["unit"].startswith(" ") and match.groupdict().get("gap") == "":
            new = f" {new}"
        yield f"{unit}_to_{new.strip()}", _replaced(case.statement, match.span("unit"), new)


# --- negations


def negation_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    language = case.own_language
    if case.kind == "row":
        return
    negated = re.search(NEGATIVE[language], case.statement, re.IGNORECASE)
    if negated:
        for pattern, replacement in DROPPED_NEGATIONS[language]:
            if re.search(pattern, case.statement):
                yield "negation_dropped", re.sub(pattern, replacement, case.statement, count=1)
                break
    else:
        for pattern, replacement in ADDED_NEGATIONS[language]:
            if re.search(pattern, case.statement):
                yield "negation_added", _tidied(re.sub(pattern, replacement, case.statement, count=1))
                break
    options = [
        (pattern, replacement)
        for pattern, replacement in UNIVERSAL_WORDS[language]
        if re.search(pattern, case.statement)
        and not (negated and re.search(r"\b(?:never|nie|jamais|nunca)\b", replacement))
    ]
    written = [pair for pair in case.material.get("universal_words", ()) if pair[0] in case.statement]
    if written:
        yield "universal_word", case.statement.replace(*written[0])
    elif options:
        pattern, replacement = options[0] if len(options) == 1 else options[chance.randrange(2)]
        yield "universal_word", re.sub(pattern, replacement, case.statement, count=1)


def _tidied(statement: str) -> str:
    """Move a German `nicht` before a verb that ends its clause."""
    return re.sub(r"\b(\w+) nicht(?=[,;.]| \[)", r"nicht \1", statement)


# --- sources


def source_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    targets = [number for number in case.sources if number not in case.cited and _lacks(case, number)]
    if targets:
        target = chance.choice(targets)
        bare = _CITATION.sub("\0", case.statement)
        yield "swapped_source", re.sub("\0+", f"[{target}]", bare)


def _lacks(case: Case, number: int) -> bool:
    """Tell whether a source does not carry the facts of the statement: it lacks its values, or most of its words."""
    text = case.sources[number]
    words = {word.lower() for word in re.findall(r"[^\W\d_]{5,}", _CITATION.sub("", case.statement))}
    target_words = {word.lower() for word in re.findall(r"[^\W\d_]{5,}", text)}
    shared = len(words & target_words) / max(1, len(words))
    literals = [match[0] for match in _numbers(case)]
    held = values_in(text)
    missing = [
        literal
        for literal in literals
        if not any(abs(value - other) <= value / 50 for value in readings(literal) for other in held)
    ]
    if literals:
        return len(missing) * 2 >= len(literals) and shared < 0.6
    return shared < 0.34


# --- additions


def added_faults(case: Case, chance: random.Random) -> Iterator[tuple[str, str]]:
    match = _LAST_CITATIONS.search(case.statement)
    if case.kind == "row" or not match:
        return
    language = case.own_language
    sentences = case.material.get("sentences") or GENERIC_SENTENCES[language]
    with_number = [each for each in sentences if values_in(each)]
    without = [each for each in sentences if not values_in(each)]
    if with_number and (not without or chance.random() < 0.5):
        variant, sentence = "sentence_with_number", chance.choice(with_number)
    else:
        variant, sentence = "sentence_without_number", chance.choice(without)
    citation = chance.choice(case.cited)
    addition = f"{sentence.rstrip('.')} [{citation}]."
    tail = chance.choice(case.material.get("tails") or GENERIC_TAILS[language])
    options = [
        (variant, f"{case.statement} {addition}"),
        ("tail", f"{case.statement[: match.start()]}, {INCLUDING[language]} {tail}{match[0]}"),
    ]
    yield options[chance.random() < 0.35]


# --- all kinds

_MAKERS = {
    "number": number_faults,
    "date": date_faults,
    "name": name_faults,
    "unit": unit_faults,
    "negation": negation_faults,
    "source": source_faults,
    "added": added_faults,
}


def _replaced(statement: str, span: tuple[int, int], new: str) -> str:
    return statement[: span[0]] + new + statement[span[1] :]


def _capitalised_like(word: str, model: str) -> str:
    return word.capitalize() if model[0].isupper() else word


def _distinct(faults: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Keep the first of the faults that read the same."""
    by_statement = {statement: variant for variant, statement in reversed(faults)}
    return [(variant, statement) for statement, variant in reversed(by_statement.items())]


def faults_of(
    text: dict[str, Any], material: dict[str, Any] | None = None, seed: int = DEFAULT_SEED
) -> Iterator[Fault]:
    """Yield the faults of a text, at most one of each kind for a statement, but two of its negation."""
    sources = {source["number"]: source["text"] for source in text["sources"]}
    for index, block in enumerate(text["blocks"]):
        if "statement" not in block:
            continue
        statement = block["statement"]
        cited = tuple(dict.fromkeys(int(number) for number in _CITATION.findall(statement)))
        case = Case(
            statement, block["kind"], block["passage"], cited, sources, text["language"], material or {}
        )
        for kind in KINDS:
            chance = random.Random(f"{seed}:{text['id']}:{index}:{kind}")
            faults = [each for each in _MAKERS[kind](case, chance) if each[1] != statement]
            chosen = _distinct(faults) if kind == "negation" else [chance.choice(faults)] if faults else []
            for variant, faulty in chosen:
                yield Fault(text["id"], index, kind, variant, faulty, statement)


def load_texts(paths: list[Path] | None = None) -> list[dict[str, Any]]:
    """Load texts, by default all that are stored here, in the order of their names."""
    chosen = paths or sorted((FOLDER / "texts").glob("*.json"))
    return [json.loads(path.read_text("utf-8")) for path in chosen]


def load_material() -> dict[str, Any]:
    """Load the names of the texts and the inventions that are added to them, by the id of the text."""
    return json.loads((FOLDER / "fault_material.json").read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Print planted faults as JSON, one a line.")
    parser.add_argument("texts", nargs="*", type=Path, help="files of texts; without any, all stored ones")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    arguments = parser.parse_args()
    material = load_material()
    for text in load_texts(arguments.texts):
        for fault in faults_of(text, material.get(text["id"]), arguments.seed):
            print(json.dumps(asdict(fault), ensure_ascii=False))


if __name__ == "__main__":
    main()

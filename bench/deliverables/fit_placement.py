"""Fit the weights of `placement_score`: which numbers, names and dates stand where their sources speak of others.

    python -m bench.deliverables.fit_placement FOLDER ... [--seed N ...]

prints the weights without a bound, and for each bound what it finds and what it flags of true statements when the
weights are fitted on other texts; the bound is subtracted from the weight "bias". Examples are the numbers and names
that a planted fault changes, the dates that are exchanged for others of the cited sources, and those of true
statements.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.deliverables.plant_faults import faults_of, load_material
from bench.deliverables.planted import FOLLOWED, sources_of, true_statements
from frasier.kernel.dates import DateMention, PartialDate
from frasier.kernel.source_units import Sources
from frasier.work.verification.check import comparisons_of
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.date_check import DateCheck
from frasier.work.verification.number_check import NumberCheck
from frasier.work.verification.placement import Placement
from frasier.work.verification.placement_score import DATE_WEIGHTS, NAME_WEIGHTS, NUMBER_WEIGHTS
from frasier.work.verification.statements import plain_text

DEFAULT_SEEDS = tuple(range(1, 11))
_FOLDS = 6
_RIDGE = 2.0
_STEPS = 30
_UNFOLLOWED = 0.3  # the weight of a true statement whose words are the author's own
_OTHER_DATES = 6
_SHARES = (0.003, 0.006, 0.01, 0.015, 0.02, 0.03)


@dataclass(frozen=True)
class Example:
    """The signs of a number, name or date: whether it is a planted fault, and how much it counts."""

    text: str
    statement: str
    mention: str
    is_fault: bool
    is_followed: bool
    signs: Mapping[str, float]


def examples_of(
    paths: Sequence[Path], seeds: Sequence[int]
) -> tuple[list[Example], list[Example], list[Example]]:
    """Return the examples of numbers, of names and of dates."""
    material = load_material()
    numbers: list[Example] = []
    names: list[Example] = []
    dates: list[Example] = []
    for path in paths:
        text = json.loads(path.read_text("utf-8"))
        sources = sources_of(text)
        for statement, support in true_statements(text):
            found = list(_mentions(text["id"], statement, sources, is_followed=support in FOLLOWED))
            numbers += [one for is_name, one in found if not is_name]
            names += [one for is_name, one in found if is_name]
            dates += _dates(text["id"], statement, sources, is_followed=support in FOLLOWED)
        for fault in _faults(text, material, seeds):
            found = list(_mentions(text["id"], fault.statement, sources, original=fault.original))
            numbers += [one for is_name, one in found if not is_name and fault.kind == "number"]
            names += [one for is_name, one in found if is_name and fault.kind == "name"]
    return numbers, names, dates


def _dates(text: str, markdown: str, sources: Sources, *, is_followed: bool) -> Iterator[Example]:
    """The dates of a true statement, and each with others of its sources in its place."""
    for comparison, date, signs in _placed_dates(markdown, sources):
        yield Example(text, markdown, date.text, False, is_followed, signs)
        if markdown.count(date.text) != 1 or not is_followed:
            continue
        for other in _others(comparison, date):
            faulty = markdown.replace(date.text, other)
            for _, found, its in _placed_dates(faulty, sources):
                if found.text == other:
                    yield Example(text, faulty, other, True, True, its)


def _placed_dates(
    markdown: str, sources: Sources
) -> Iterator[tuple[Comparison, DateMention, Mapping[str, float]]]:
    for comparison in comparisons_of(markdown, sources):
        placement = Placement(comparison)
        for date in DateCheck(comparison, placement).placed_dates():
            yield comparison, date, placement.signs_of_date(date).by_name


def _others(comparison: Comparison, date: DateMention) -> list[str]:
    """Some dates of the cited sources that are as exact, and that the statement has not."""
    found: dict[PartialDate, str] = {}
    for unit in comparison.units:
        for other in unit.dates:
            is_stated = any(one.agrees_with(other) or other.agrees_with(one) for one in comparison.dates)
            [reading, *more] = other.readings
            if not more and _parts(reading) == _parts(date.readings[0]) and not is_stated:
                found.setdefault(reading, other.text)
    return list(found.values())[:_OTHER_DATES]


def _parts(date: PartialDate) -> tuple[bool, bool, bool]:
    return date.quarter is not None, date.month is not None, date.day is not None


def _faults(text: dict[str, Any], material: Mapping[str, Any], seeds: Sequence[int]) -> Iterator[Any]:
    faults = {
        fault.statement: fault for seed in seeds for fault in faults_of(text, material.get(text["id"]), seed)
    }
    return (fault for fault in faults.values() if fault.kind in {"number", "name"})


def _changed(original: str, faulty: str) -> tuple[int, int]:
    """The part of a faulty statement that the original has not."""
    start = next((at for at, pair in enumerate(zip(original, faulty, strict=False)) if pair[0] != pair[1]), 0)
    behind = next(
        (at for at, pair in enumerate(zip(original[::-1], faulty[::-1], strict=False)) if pair[0] != pair[1]),
        0,
    )
    return start, max(start + 1, len(faulty) - behind)


def _mentions(
    text: str, markdown: str, sources: Sources, *, original: str = "", is_followed: bool = True
) -> Iterator[tuple[bool, Example]]:
    """The numbers and names whose place is looked at: of a planted fault those that the original statement has not."""
    plain = plain_text(markdown)
    span = _changed(plain_text(original), plain) if original else (0, len(plain))
    for comparison in comparisons_of(markdown, sources):
        offset = plain.find(comparison.text)
        if comparison.is_foreign or offset < 0:
            continue
        placement = Placement(comparison)
        places = [
            (False, one.text, one.start, one.end, placement.signs_of_number(one))
            for one in NumberCheck(comparison, placement).placed_numbers()
        ]
        for name in comparison.placed_names:
            at = comparison.text.find(name)
            places.append((True, name, at, at + len(name), placement.signs_of_name(name)))
        for is_name, mention, start, end, signs in places:
            if start + offset < span[1] and span[0] < end + offset:
                yield is_name, Example(text, markdown, mention, bool(original), is_followed, signs.by_name)


def fit(examples: Sequence[Example], names: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the weights of a logistic regression by Newton's method; both classes weigh the same together."""
    values = np.array([[one.signs[name] for name in names] for one in examples])
    labels = np.array([float(one.is_fault) for one in examples])
    weights = np.array([1.0 if one.is_followed else _UNFOLLOWED for one in examples])
    weights[labels == 1] *= weights[labels == 0].sum() / max(1.0, weights[labels == 1].sum())
    found = np.zeros(len(names))
    ridge = np.full(len(names), _RIDGE)
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(values @ found, -30, 30)))
        gradient = values.T @ (weights * (chances - labels)) + ridge * found
        curvature = (values * (weights * chances * (1 - chances))[:, None]).T @ values + np.diag(ridge)
        found = found - np.linalg.solve(curvature, gradient)
    return found


def scores(examples: Sequence[Example], names: Sequence[str]) -> list[float]:
    """Return the score of each example by weights that are fitted on the texts of the other folds."""
    texts = sorted({one.text for one in examples})
    folds = {text: at % _FOLDS for at, text in enumerate(texts)}
    by_fold = [fit([one for one in examples if folds[one.text] != fold], names) for fold in range(_FOLDS)]
    return [
        float(np.array([one.signs[name] for name in names]) @ by_fold[folds[one.text]]) for one in examples
    ]


def bounds(
    examples: Sequence[Example], values: Sequence[float]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield for each share of true statements the bound, that share, and what is found at it."""
    worst: dict[str, float] = {}
    for one, value in zip(examples, values, strict=True):
        if not one.is_fault and one.is_followed:
            worst[one.statement] = max(worst.get(one.statement, -99.0), value)
    ordered = sorted(worst.values(), reverse=True)
    found: dict[str, float] = {}
    for one, value in zip(examples, values, strict=True):
        if one.is_fault:
            found[one.statement] = max(found.get(one.statement, -99.0), value)
    others = {one.statement: 0.0 for one in examples if not one.is_fault and not one.is_followed}
    for one, value in zip(examples, values, strict=True):
        if one.statement in others:
            others[one.statement] = max(others[one.statement], value)
    for share in _SHARES:
        bound = ordered[min(len(ordered) - 1, int(share * len(ordered)))]
        yield (
            bound,
            share,
            sum(value > bound for value in found.values()) / len(found),
            sum(value > bound for value in others.values()) / max(1, len(others)),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, action="append", dest="seeds")
    arguments = parser.parse_args()
    paths = sorted(path for folder in arguments.folders for path in folder.glob("*.json"))
    all_examples = examples_of(paths, arguments.seeds or DEFAULT_SEEDS)
    for title, signs, examples in zip(
        ("numbers", "names", "dates"),
        (list(NUMBER_WEIGHTS), list(NAME_WEIGHTS), list(DATE_WEIGHTS)),
        all_examples,
        strict=True,
    ):
        print(title, sum(one.is_fault for one in examples), "faults of", len(examples))
        for name, weight in zip(signs, fit(examples, signs), strict=True):
            print(f'    "{name}": {weight:.2f},')
        for bound, share, found, others in bounds(examples, scores(examples, signs)):
            print(
                f"  bound {bound:6.2f}: {share:.1%} of true, {others:.1%} of free statements, {found:.1%} of faults"
            )


if __name__ == "__main__":
    main()

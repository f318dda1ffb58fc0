"""Numbers that a statement converts: to another period, a rate for so many, cents, or what is left of all. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from frasier.kernel.number_mentions import NumberMention
from frasier.work.verification.calculations import Calculation, is_rounded
from frasier.work.verification.comparison import Comparison

_HUNDRED = Decimal(100)
_YEAR_S = 31_536_000  # of 365 days
_PERIODS_A_YEAR = (12, 52, 365, 4)
_A_YEAR = re.compile(
    r"\b(?:(?:a|per) year|annual\w*|yearly|im Jahr|pro Jahr|jährlich\w*|par an|annuel\w*|al año|anual\w*|all['’]anno"
    r"|annu[oi]|per jaar|jaarlijks|por ano|ao ano)\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?:rate|to the (?:pound|euro|dollar|franc)|\w*kurs|cours|taux|cambio|tasso|koers|câmbio)\b",
    re.IGNORECASE,
)
_PER = re.compile(
    r"\s*(?:[^\W\d_]+\s)?(?:per|je|pro|aux|por cada|por|(?P<round>auf|op))\s(?:[€$£]\s?)?$", re.IGNORECASE
)
_FOR_ONE = re.compile(
    r"\s(?:an?|per|each|je|pro|par|por|al|alla|all['’]|à|l[ea])\s?"
    r"(?:(?P<thousand>thousand|Tausend|mille|millar|migliaio|duizend|milhar)|[^\W\d_]+)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:rest\w*|remain\w*|left|others?|übrig\w*|bleib\w*|rimane\w*|quedan?|overige?|blijft|sobra\w*)\b",
    re.IGNORECASE,
)
_ROUND = frozenset({1, 10, 100, 1000})
_OTHERS_MAX = 6
_NEAREST = 2  # units


def is_converted(quantity: NumberMention, stated: Sequence[NumberMention], of: Comparison) -> bool:
    """Return whether a number is a stated one for a year, a rate for so many, or what others leave of all."""
    return (
        _is_year_of_days(quantity, of.text)
        or _is_for_a_year(quantity, stated, of)
        or _is_rate(quantity, of)
        or _is_rest_of_all(quantity, stated, of.text)
        or is_at_rate(quantity, stated, of.text)
        or is_unit_rate(quantity, stated, of.text)
    )


def _is_year_of_days(quantity: NumberMention, text: str) -> bool:
    """Whether it is the number of days, hours or minutes of the year that the statement names: no source has it."""
    is_year = quantity.dimension == "time" and quantity.values[0] * quantity.factor == _YEAR_S
    return is_year and bool(_A_YEAR.search(text))


def _is_for_a_year(quantity: NumberMention, stated: Sequence[NumberMention], of: Comparison) -> bool:
    """Whether an amount for a year is one for a month, week, day or quarter, stated or near, times their number."""
    near = [one for unit in of.operand_units[:_NEAREST] for one in unit.quantities]
    return bool(_A_YEAR.search(of.text)) and any(
        one.unit == quantity.unit and is_rounded(one.values[0] * periods, quantity)
        for one in (*stated, *near)
        for periods in _PERIODS_A_YEAR
    )


def _is_rate(quantity: NumberMention, of: Comparison) -> bool:
    """Whether it is what two numbers give for so many ("15.39 € per 100 km"), or that so many itself."""
    for first, second in itertools.pairwise(of.quantities):
        per = _PER.fullmatch(of.text, first.end, second.start)
        if quantity not in (first, second) or not per or (per["round"] and second.values[0] not in _ROUND):
            continue
        known = [one for unit in of.operand_units[:_NEAREST] for one in unit.quantities]
        known += [one for one in of.quantities if one not in (first, second)]
        counted = [one.values[0] for one in known if one.values[0] and one.unit in {None, second.unit}]
        amounts = [one.values[0] for one in known if one.unit in {None, first.unit}]
        return any(
            is_rounded(amount / count * second.values[0], first)
            for amount, count in itertools.product(amounts, counted)
        )
    return False


def in_whole_currency(quantity: NumberMention) -> NumberMention | None:
    """Return a number of cents as one of the currency, without its unit; None for other numbers."""
    if quantity.unit is None or quantity.unit.name != "cent":
        return None
    return replace(
        quantity,
        values=tuple(value / _HUNDRED for value in quantity.values),
        precision=quantity.precision / _HUNDRED,
        unit=None,
    )


def is_unit_rate(quantity: NumberMention, stated: Sequence[NumberMention], text: str) -> bool:
    """Return whether it is what two stated numbers give for one, or for a thousand: "$190 for 95, or $2 a build"."""
    behind = _FOR_ONE.match(text, quantity.end)
    if behind is None or quantity.unit is None:
        return False
    scale = 1000 if behind["thousand"] else 1
    return any(
        amount.unit is not None
        and amount.comparable(quantity)
        and count.unit != amount.unit
        and count.values[0] > 1
        and is_rounded(amount.values[0] * amount.factor * scale / count.values[0] / quantity.factor, quantity)
        for amount, count in itertools.permutations(stated, 2)
    )


def is_at_rate(quantity: NumberMention, stated: Sequence[NumberMention], text: str) -> bool:
    """Return whether an amount is one of another currency at a rate of the statement: "at 13.40 to the pound"."""
    amounts = [one for one in stated if one.dimension.startswith("currency ")]
    if not (_RATE.search(text) and quantity.dimension.startswith("currency ")):
        return False
    return any(
        is_rounded(result, quantity)
        for amount, rate in itertools.product(amounts, stated)
        if amount.unit != quantity.unit and rate is not amount and rate.values[0]
        for result in (amount.values[0] / rate.values[0], amount.values[0] * rate.values[0])
    )


def _is_rest_of_all(quantity: NumberMention, stated: Sequence[NumberMention], text: str) -> bool:
    """Whether a percentage is what stated ones leave of 100, where the statement speaks of a rest."""
    others = [one.values[0] for one in stated if one.dimension == "percent"][:_OTHERS_MAX]
    return (
        quantity.dimension == "percent"
        and bool(_REST.search(text))
        and any(
            is_rounded(_HUNDRED - sum(some), quantity)
            for size in range(1, len(others) + 1)
            for some in itertools.combinations(others, size)
        )
    )


def is_in_other_currency(quantity: NumberMention, calculation: Calculation, of: Comparison) -> bool:
    """Return whether an amount is in the currency of no operand, and none of these is a rate of a source."""
    currencies = {one.unit for one in calculation.operands if one.dimension.startswith("currency ")}
    return (
        quantity.dimension.startswith("currency ")
        and bool(currencies)
        and quantity.unit not in currencies
        and not any(
            one.unit is None and one.values[0] % 1 and of.holding[one.start] for one in calculation.operands
        )
    )

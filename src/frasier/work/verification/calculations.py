"""Calculations that a statement makes: written out ("(18.20 + 3) x 1.19 = 25.23") or only with their result. Pure."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.unit_names import CLOCK

_OPERATORS: Mapping[str, str] = {
    "+": "+", "-": "-", "−": "-", "–": "-", "×": "*", "x": "*", "*": "*", "·": "*", "/": "/", "÷": "/", ":": "/",
    "plus": "+", "minus": "-",
}  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:(?P<operator>[−+×*·/÷]|(?<=\s)[-–:](?=\s)|x(?=\s|\()|(?<=\s)(?:plus|minus)(?=\s))|(?P<bracket>[()])|(?P<equals>=|≈|~))\s*(?:[€$£¥]|[A-Z]{3}\s)?"
)
_COUNTED = re.compile(
    r"^\s(?!plus\b|minus\b|x\b)[^\W\d_]{2,}(?:[\s-][^\W\d_]{2,})?(?=\s(?:[×*·]|x\s))"
)  # "35 children × 3"
_WORDED_OPERATOR = re.compile(r"\b(?:plus|minus)\b")
_EQUALS_WORDS = re.compile(
    r"^\s*(?:,?\s*(?:that is|which is|equals|is|makes|gives|i\.e\.|ergibt|macht|sind|ist|d\. ?h\."
    r"|also|soit|donne|son|es decir|o sea|cioè|ossia|ou seja|oftewel|dat is),?)\s*"
    r"(?:about|rund|around|environ)?\s*(?:[€$£¥]|[A-Z]{3}\s)?\s*$"
)
_RANK: Mapping[str, int] = {")": 0, "+": 1, "-": 1, "*": 2, "/": 2}
_APPLIED: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
_CURRENCY = re.compile(r"(?:[€$£]|[A-Z]{3}\s)$")
_PART_OF = re.compile(r"\s(?:of|von|de|du|del|di|van|da|do)\s(?:[€$£]\s?)?")
_READINGS_MAX = 32
_CONVERSIONS = frozenset({7, 12, 24, 52, 60, 100, 365, 1000, 3600})  # of units of time, length and weight
_HUNDRED = Decimal(100)
MAGNITUDES = (Decimal(1_000), Decimal(1_000_000), Decimal(1_000_000_000))
"""The factors that a calculation may leave out of its operands: 1.4 for 1,400,000."""
_ABOUT = Decimal("0.025")


@dataclass(frozen=True, kw_only=True)
class Calculation:
    """A calculation in a text: its operands, the values that it may have, and the result that is written behind it."""

    text: str
    operands: tuple[NumberMention, ...]
    values: tuple[Decimal, ...]
    result: NumberMention | None
    operators: frozenset[str]

    @property
    def is_in_words(self) -> bool:
        """Whether an operator is a word, so that it may also list what is paid: "€310 plus 62 for the bag"."""
        return bool(_WORDED_OPERATOR.search(self.text))

    @property
    def is_additive(self) -> bool:
        """Whether it only adds and subtracts, so that the operands and the result have one unit."""
        return self.operators <= {"+", "-"}

    @cached_property
    def is_right(self) -> bool:
        """Whether the result, if one is written, is what the operands give."""
        return self.result is None or self.gives(self.result)

    def gives(self, quantity: NumberMention) -> bool:
        """Return whether `quantity` is what the operands give, in its unit; a share may be written as a percentage."""
        return any(
            is_rounded(value * scale, quantity) for value in self.values for scale in self._scales(quantity)
        )

    def _scales(self, quantity: NumberMention) -> Iterator[Decimal]:
        """The factors between the unit of the operands, if they have one alone, and that of the result."""
        is_difference = self.operators == {"-"} and len(self.operands) == 2
        if quantity.dimension == "points" and not is_difference:
            return
        units = {one.unit for one in self.operands if one.unit is not None}
        if units == {CLOCK} and is_difference and quantity.dimension == "time":
            yield 1 / quantity.factor
            return
        if len(units) == 1 and quantity.unit is not None:
            [unit] = units
            if unit.comparable(quantity.unit):
                yield unit.factor / quantity.unit.factor
                if any(one.unit is None and one.values[0] in _CONVERSIONS for one in self.operands):
                    yield Decimal(1)  # "24 × 60 = 1,440 minutes"
                return
            if self.is_additive and quantity.dimension != "points":
                return
        yield Decimal(1)
        if self.is_additive:
            yield from MAGNITUDES  # "€0.5 million (3.6 − 3.1)"
        if quantity.dimension == "percent" or (quantity.unit is not None and quantity.unit.name == "cent"):
            yield _HUNDRED


def is_rounded(value: Decimal, stated: NumberMention) -> bool:
    """Return whether `value`, rounded as the stated number is, is that number: also "over 96" for 96.7."""
    for one in stated.values:
        tolerance = stated.precision / 2
        if stated.bound is Bound.ABOUT and one:
            tolerance = max(tolerance, min(_ABOUT * abs(one), _last_digit(one) / 2))
        difference = abs(value) - abs(one)
        if abs(difference) <= tolerance:
            return True
        step = max(
            stated.precision, min(_last_digit(one), _ABOUT * abs(one))
        )  # "just under 2,130" for 2,128.40
        if stated.bound is Bound.AT_LEAST and 0 <= difference < step:
            return True
        if stated.bound is Bound.AT_MOST and -step < difference <= 0:
            return True
    return False


def _last_digit(value: Decimal) -> Decimal:
    """The unit of the last digit that is not 0: 10 of 8,570."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)


def find_calculations(text: str, quantities: Sequence[NumberMention]) -> list[Calculation]:
    """Find the calculations of two or more numbers that a text writes out."""
    found: list[Calculation] = []
    at = 0
    while at < len(quantities):
        reader = _Reader(text, quantities, at)
        calculation = reader.read()
        if calculation is not None:
            found.append(calculation)
        at = reader.next
    return found


class _Reader:
    """Reads the calculation that begins with one of the numbers, with the brackets around its parts."""

    def __init__(self, text: str, quantities: Sequence[NumberMention], at: int) -> None:
        self._text = text
        self._quantities = quantities
        self.next = at

    def read(self) -> Calculation | None:
        tokens = self._tokens()
        operands = [token for token in tokens if isinstance(token, NumberMention)]
        operators = [token for token in tokens if token in {"+", "-", "*", "/"}]
        if len(operands) < 2 or len(operators) < len(operands) - 1:
            return None
        values = tuple(dict.fromkeys(_values(tokens, operands)))
        last = operands[-1]
        result = self._result(last)
        if result is None and (label := self._text.rfind(":", operands[0].end, last.start)) >= 0:
            self.next -= sum(one.start > label for one in operands)  # "Total : 4 000 + 850"
            return None
        end = result.end if result else last.end
        if result is not None:
            self.next += 1
        return (
            Calculation(
                text=self._text[operands[0].start : end],
                operands=tuple(operands),
                values=values,
                result=result,
                operators=frozenset(str(token) for token in operators),
            )
            if values
            else None
        )

    def _tokens(self) -> list[NumberMention | str]:
        first = self._quantities[self.next]
        before = self._quantities[self.next - 1].end if self.next else 0
        lead = _CURRENCY.sub("", self._text[before : first.start])
        tokens: list[NumberMention | str] = ["("] * lead[len(lead.rstrip("( \u00a0\u202f")) :].count("(")
        tokens.append(first)
        self.next += 1
        while self.next < len(self._quantities):
            between = self._text[tokens_end(tokens) : self._quantities[self.next].start]
            last, following = tokens[-1], self._quantities[self.next]
            signs = ["*"] if self._is_part_of_product(last, between) else _signs(between)
            if signs is None or ("/" in signs and _are_shares(last, following)):
                break
            tokens += signs
            tokens.append(self._quantities[self.next])
            self.next += 1
        return _balanced(tokens)

    def _is_part_of_product(self, last: NumberMention | str, between: str) -> bool:
        """Whether a percentage is one of a calculation behind it: "25 % of 26 × 38,000"."""
        if isinstance(last, str) or last.dimension != "percent" or not _PART_OF.fullmatch(between):
            return False
        two = self._quantities[self.next : self.next + 2]
        return len(two) == 2 and _signs(self._text[two[0].end : two[1].start]) is not None

    def _result(self, last: NumberMention) -> NumberMention | None:
        if self.next >= len(self._quantities):
            return None
        following = self._quantities[self.next]
        between = self._text[last.end : following.start]
        signs = re.match(
            r"^(?:\s[^\W\d_]{2,})?[\s)]*(?:=|≈)\s*(?:(?:about|rund|etwa|around|environ|unos)\s+)?(?:[€$£¥]|[A-Z]{3}\s)?\s*$",
            between,
        )
        if not signs and not _EQUALS_WORDS.match(between):
            return None
        # "41 × 66 = 2,706 + 1,872": what follows is another calculation, of which this one gives the first part.
        further = self._quantities[self.next + 1 : self.next + 2]
        is_operand = further and _signs(self._text[following.end : further[0].start])
        return None if is_operand else following


def _are_shares(first: NumberMention | str, second: NumberMention) -> bool:
    """Whether two numbers are shares that stand side by side: "20 % / 60 %"."""
    return not isinstance(first, str) and first.dimension == second.dimension == "percent"


def tokens_end(tokens: Sequence[NumberMention | str]) -> int:
    """Return where the last number of the tokens ends."""
    return next(token.end for token in reversed(tokens) if isinstance(token, NumberMention))


def _signs(between: str) -> list[str] | None:
    """Return the operator and the brackets that stand between two numbers; None where something else does."""
    signs: list[str] = []
    between = _COUNTED.sub("", between)
    at = 0
    while at < len(between):
        match = _TOKEN.match(between, at)
        if match is None or match["equals"]:
            if between[at:].strip() in {"", "€", "$", "£"}:
                break
            return None
        signs.append(_OPERATORS[match["operator"]] if match["operator"] else match["bracket"])
        at = match.end()
    return signs if sum(sign in "+-*/" for sign in signs) == 1 else None


def _balanced(tokens: list[NumberMention | str]) -> list[NumberMention | str]:
    """Close the brackets that are open, and open those that were opened before the calculation."""
    depths = [*itertools.accumulate((sign == "(") - (sign == ")") for sign in tokens)]
    opened = max(0, -min(depths))
    return [*["("] * opened, *tokens, *[")"] * (opened + depths[-1])]


def _values(tokens: Sequence[NumberMention | str], operands: Sequence[NumberMention]) -> Iterator[Decimal]:
    for readings in itertools.islice(itertools.product(*(one.values for one in operands)), _READINGS_MAX):
        numbers = iter(readings)
        plain = [next(numbers) if isinstance(token, NumberMention) else token for token in tokens]
        try:
            value = _evaluated(plain)
        except (ArithmeticError, ValueError):
            continue
        yield value
        if any(one.dimension == "percent" for one in operands):
            yield value / _HUNDRED


def _evaluated(symbols: Sequence[Decimal | str]) -> Decimal:
    """Return the value of numbers, operators and balanced brackets, in linear time and without recursion.

    Raises ValueError where no operator stands between two numbers, and ArithmeticError for a division by zero.
    """
    values: list[Decimal] = []
    waiting = ["("]
    is_operand_next = True
    for symbol in [*symbols, ")"]:
        begins_operand = symbol == "(" or isinstance(symbol, Decimal)
        if begins_operand != is_operand_next:
            raise ValueError(symbol)
        is_operand_next = symbol in {"(", *_APPLIED}
        if isinstance(symbol, Decimal):
            values.append(symbol)
            continue
        while symbol != "(" and waiting[-1] != "(" and _RANK[symbol] <= _RANK[waiting[-1]]:
            second, first = values.pop(), values.pop()
            values.append(_APPLIED[waiting.pop()](first, second))
        if symbol == ")":
            waiting.pop()
        else:
            waiting.append(symbol)
    return values.pop()

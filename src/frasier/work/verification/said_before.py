"""The numbers and dates that a text has before a statement, which this may compute with. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.kernel.dates import DateMention
from frasier.kernel.number_mentions import NumberMention
from frasier.work.verification.findings import StatementCheck, StatementVerdict

_REFERRING = re.compile(
    r"(?:That|This|It|These|Those|They|Which|Das|Dies|Es|Sie|Dat|Dit|Het|C['’]est|Cela|Ce sont|Ils?|Elles?|Son|Eso|Esto"
    r"|Es|Sono|Questo|Quest[ie]|Ciò|È|São|Isso|Isto|É)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidBefore:
    """Text before a statement: all that it `computed`, and the numbers and dates of its last statement.

    A statement that is doubtful gives nothing.
    """

    computed: tuple[NumberMention, ...] = ()
    numbers: tuple[NumberMention, ...] = ()
    dates: tuple[DateMention, ...] = ()

    def followed_by(self, check: StatementCheck) -> SaidBefore:
        """Return what stands before the statement that follows the one of a check."""
        if check.verdict is StatementVerdict.DOUBTFUL:
            return SaidBefore(computed=self.computed)
        return SaidBefore(
            computed=(*self.computed, *check.computed), numbers=check.numbers, dates=check.dates
        )

    def referred_to_by(self, statement: str) -> SaidBefore:
        """Return what a statement computes with: the last numbers and dates only if it begins with "That is"."""
        return self if _REFERRING.match(statement) else SaidBefore(computed=self.computed)


NOTHING_BEFORE = SaidBefore()

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
_LATER = re.compile(
    r"\b(?:later|earlier|afterwards|später|danach|früher|plus (?:tard|tôt)|después|antes|più tardi|prima|later|eerder"
    r"|mais tarde|depois)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidBefore:
    """Text before a statement: all that it `computed`, and the numbers and dates of its last statement.

    A statement that is doubtful gives only what it computes beside what is doubted.
    """

    computed: tuple[NumberMention, ...] = ()
    numbers: tuple[NumberMention, ...] = ()
    dates: tuple[DateMention, ...] = ()

    def followed_by(self, check: StatementCheck) -> SaidBefore:
        """Return what stands before the statement that follows the one of a check."""
        doubted = {finding.text for finding in check.findings}
        computed = (*self.computed, *(one for one in check.computed if one.text not in doubted))
        if check.verdict is StatementVerdict.DOUBTFUL:
            return SaidBefore(computed=computed)
        return SaidBefore(computed=computed, numbers=check.numbers, dates=check.dates)

    def referred_to_by(self, statement: str) -> SaidBefore:
        """Return what a statement may compute with: of the last one only if it begins with "That is" or has "later"."""
        if _REFERRING.match(statement):
            return self
        dates = self.dates if _LATER.search(statement) else ()
        return SaidBefore(computed=self.computed, dates=dates)


NOTHING_BEFORE = SaidBefore()

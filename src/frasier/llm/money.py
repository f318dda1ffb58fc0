"""Money as whole micro-dollars (USD 1 = 1,000,000), so that sums are exact."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

MICROS_PER_USD = 1_000_000


def to_usd_micros(usd: Decimal) -> int:
    """Convert US dollars to micro-dollars, rounded up."""
    return int((usd * MICROS_PER_USD).to_integral_value(ROUND_CEILING))


def format_usd(usd_micros: int) -> str:
    """Format micro-dollars: with cents if those are exact, else up to six digits."""
    return f"${Decimal(plain_usd(usd_micros)):,}"


def plain_usd(usd_micros: int) -> str:
    """Write micro-dollars as a bare number of dollars, as a command takes it: "0.0213", "1200.00"."""
    dollars, rest = divmod(usd_micros, MICROS_PER_USD)
    digits = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{dollars}.{digits}"

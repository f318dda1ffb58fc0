"""The limit of a list that a caller asks for: 1 to 100."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput

LIST_MAX = 100


def check_limit(limit: int, *, hint: str) -> None:
    """Raise InvalidInput (E032) for a limit outside 1 to 100."""
    if not 1 <= limit <= LIST_MAX:
        raise InvalidInput(
            f"The limit must be between 1 and {LIST_MAX}, not {limit}.", number="E032", hint=hint
        )

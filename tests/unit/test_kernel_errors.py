"""What every error says."""

from __future__ import annotations

import pytest

from frasier.kernel import errors
from frasier.kernel.errors import AllProvidersFailed, FrasierError, ProviderError, ProviderTimeout

CLASSES = [
    value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, FrasierError)
]


@pytest.mark.parametrize("error", CLASSES)
def test_an_error_says_what_happened_what_was_kept_and_what_to_do(error: type[FrasierError]) -> None:
    assert error("It broke.", hint="Mend it.").as_dict() == {
        "code": error.code,
        "message": "It broke.",
        "hint": "Mend it.",
    }
    assert str(error("It broke.")) == "It broke."


def test_what_is_not_known_is_left_out() -> None:
    assert FrasierError("It broke.").as_dict() == {"code": "error", "message": "It broke."}
    assert FrasierError("It broke.", kept="All.").as_dict()["kept"] == "All."


def test_codes_are_snake_case_and_their_own() -> None:
    codes = [error.code for error in CLASSES]
    assert len(set(codes)) == len(codes)
    assert all(code.isidentifier() and code == code.lower() for code in codes)


def test_a_provider_error_names_the_provider_and_when_to_come_back() -> None:
    error = ProviderTimeout("slow", provider="openrouter", retry_after_s=3.0)
    assert (error.provider, error.retry_after_s, error.retryable) == ("openrouter", 3.0, True)
    assert not ProviderError("x").retryable


def test_when_all_failed_each_cause_is_kept_in_order() -> None:
    causes = (ProviderTimeout("one"), ProviderError("two"))
    assert AllProvidersFailed("all", causes=causes).causes == causes

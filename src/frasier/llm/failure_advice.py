"""Advice on failures of models that may pass by themselves, for the case that they last."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.kernel.errors import ProviderRateLimited, ProviderTimeout, ProviderUnavailable

FAILURE_ADVICE: Mapping[str, str] = {
    ProviderRateLimited.code: "Raise the limit of the account, or lower FRASIER_LLM__MAX_CONCURRENCY.",
    ProviderTimeout.code: "Check the network and the service; raise FRASIER_LLM__TIMEOUT_S where the model is slow.",
    ProviderUnavailable.code: "Check the base URL, the network and the state of the service.",
}
"""The advice by the code of the error."""

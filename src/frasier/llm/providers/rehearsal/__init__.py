"""The deterministic rehearsal provider, which runs if no model is configured."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.llm.providers.rehearsal.provider import RehearsalProvider as RehearsalProvider
else:
    lazy_exports(__name__)

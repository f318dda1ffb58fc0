"""Query expansion: acronyms, long forms and spelling corrections for words that no memory holds."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.expansion.expand import (
        ExpandedTerm as ExpandedTerm,
        Expansion as Expansion,
        expand as expand,
    )
else:
    lazy_exports(__name__)

"""Idempotent saves by external clients: a memory sent again under its key is stored once."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.external_writes.contribution import (
        Contributed as Contributed,
        contribute as contribute,
    )
else:
    lazy_exports(__name__)

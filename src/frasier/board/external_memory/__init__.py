"""The outside brain: a team's own memory service, in which a move is documented before it happens.

    health (3 s) → intent, kept here → contribution (5 s, with a key) → the local commit

Whatever fails on the way refuses the move. Blocking, restoring and reading never ask it.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.board.external_memory.protocol import (
        Contribution as Contribution,
        RemoteBrain as RemoteBrain,
    )
    from frasier.board.external_memory.factory import make_remote_brain as make_remote_brain
    from frasier.board.external_memory.failures import NotStored as NotStored
    from frasier.board.external_memory.refusal import as_refusal as as_refusal
    from frasier.board.external_memory.settings import RemoteBrainSettings as RemoteBrainSettings
else:
    lazy_exports(__name__)

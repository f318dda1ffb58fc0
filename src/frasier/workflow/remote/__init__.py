"""The outside brain: a team's own memory service, in which a move is documented before it happens.

    health (3 s) → intent, kept here → contribution (5 s, with a key) → the local commit

Whatever fails on the way refuses the move. Blocking, restoring and reading never ask it.
"""

from frasier.workflow.remote.brain import Contribution, RemoteBrain
from frasier.workflow.remote.choose import make_remote_brain
from frasier.workflow.remote.failures import NotStored
from frasier.workflow.remote.refusing import as_refusal
from frasier.workflow.remote.settings import RemoteBrainSettings

__all__ = [
    "Contribution",
    "NotStored",
    "RemoteBrain",
    "RemoteBrainSettings",
    "as_refusal",
    "make_remote_brain",
]

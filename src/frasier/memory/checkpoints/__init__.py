"""Checkpoints: what memories were at one time, kept and put back whole; and deleting, which makes one first."""

from frasier.memory.checkpoints.deleting import Selection, delete_memories, delete_memory
from frasier.memory.checkpoints.keeping import (
    checkpoint_before,
    create_checkpoint,
    delete_checkpoint,
    forget_old_checkpoints,
    list_checkpoints,
)
from frasier.memory.checkpoints.restoring import restore_checkpoint
from frasier.memory.checkpoints.types import Checkpoint, CheckpointRules, Deleted, Restored, RestoreMode

__all__ = [
    "Checkpoint",
    "CheckpointRules",
    "Deleted",
    "RestoreMode",
    "Restored",
    "Selection",
    "checkpoint_before",
    "create_checkpoint",
    "delete_checkpoint",
    "delete_memories",
    "delete_memory",
    "forget_old_checkpoints",
    "list_checkpoints",
    "restore_checkpoint",
]

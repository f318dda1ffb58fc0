"""Checkpoints of memories: create, restore and delete them; and delete memories after an automatic checkpoint."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.snapshots.delete_memories import (
        Selection as Selection,
        delete_memories as delete_memories,
        delete_memory as delete_memory,
    )
    from frasier.memory.snapshots.manage import (
        checkpoint_before as checkpoint_before,
        create_checkpoint as create_checkpoint,
        delete_checkpoint as delete_checkpoint,
        forget_old_checkpoints as forget_old_checkpoints,
        list_checkpoints as list_checkpoints,
    )
    from frasier.memory.snapshots.restore import restore_checkpoint as restore_checkpoint
    from frasier.memory.snapshots.types import (
        Checkpoint as Checkpoint,
        CheckpointRules as CheckpointRules,
        Deleted as Deleted,
        Restored as Restored,
        RestoreMode as RestoreMode,
    )
else:
    lazy_exports(__name__)

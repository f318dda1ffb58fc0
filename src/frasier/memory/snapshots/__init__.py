"""Checkpoints of memories: create, restore and delete them; and delete memories after an automatic checkpoint."""

"""The strength of memories: stability, difficulty and confidence, changed by recorded, undoable adjustments."""

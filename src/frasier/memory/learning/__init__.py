"""Learning from corrections, from the outcomes of work that used memories, and from tasks."""

"""Tasks: creation, loading, edits and judgements, with the event and the marker of every change."""

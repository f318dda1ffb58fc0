"""Views of boards: blocked tasks, busy workers, and tasks by name. Reading only."""

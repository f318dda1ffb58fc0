"""Evidence: facts looked up outside before a move, recorded with their digest. Gates believe nothing else."""

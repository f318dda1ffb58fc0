"""`frasier task`: the task boards of teams at the command line."""

"""The kinds of run, one for the tasks of each process."""

"""Operations of the memory: a module for each subject, each operation with its input and output."""

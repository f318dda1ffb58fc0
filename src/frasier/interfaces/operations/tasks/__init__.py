"""Operations of boards and their tasks: a module for each subject, each operation with its input and output."""

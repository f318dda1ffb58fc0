"""Deep work: decompose, research, synthesize, critique, revise. Each phase is a checkpoint."""

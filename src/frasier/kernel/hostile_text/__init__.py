"""Signs of hostility in a text from outside: what it hides, and what it would have an agent do. Pure."""

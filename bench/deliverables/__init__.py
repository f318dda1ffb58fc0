"""Material that measures the check of statements: texts, planted faults and collections with known answers."""

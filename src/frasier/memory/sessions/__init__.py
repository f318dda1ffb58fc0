"""Agent sessions: deduplicated deliveries, and recovery after the death of the process."""

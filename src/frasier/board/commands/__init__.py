"""Commands that the founder has declared, run as evidence: results are measured here, never reported by an agent."""

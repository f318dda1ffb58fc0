"""The deterministic rehearsal provider, which runs if no model is configured."""

"""The save path: preflight checks, the gate for duplicates and contradictions, versions and triggers."""

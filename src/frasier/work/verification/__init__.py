"""Verification of deliverables: whether the cited sources say what each statement says."""

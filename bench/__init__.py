"""Benchmarks of the design figures: `python -m bench`, with the target beside every number."""

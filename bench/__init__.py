"""The figures of the design, measured: `python -m bench`, with the target beside every number."""

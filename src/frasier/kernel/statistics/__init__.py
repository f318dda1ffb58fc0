"""Statistics on numpy, which is imported when a figure is computed and not before.

Every figure carries the number of observations behind it and an interval. Fewer than eight observations are an
`Estimate` without a value, never an error. What is resampled takes a seed, so that a report can be computed again.
"""

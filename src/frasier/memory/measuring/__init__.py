"""Measuring how well the memory finds what it should."""

from frasier.memory.measuring.collection import Collection, read_collection
from frasier.memory.measuring.metrics import Quality, mean, quality
from frasier.memory.measuring.run import ArmResult, Measured, Progress, measure

__all__ = [
    "ArmResult",
    "Collection",
    "Measured",
    "Progress",
    "Quality",
    "mean",
    "measure",
    "quality",
    "read_collection",
]

"""onnxruntime, told before it is loaded to keep to itself: as it comes, it reports its use to its maker."""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = (
    "1"  # read once, when the library is loaded; its Python call comes too late
)

import onnxruntime

__all__ = ["onnxruntime"]

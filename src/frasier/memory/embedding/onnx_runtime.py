"""The import of onnxruntime with its telemetry disabled, which must be done before the library is loaded."""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = (
    "1"  # read once, when the library is loaded; its Python call comes too late
)

import onnxruntime

__all__ = ["onnxruntime"]

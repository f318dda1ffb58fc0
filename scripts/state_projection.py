"""Fits the projection of the packaged encoder's token states; with --check only says whether the file is current.

Another machine or version of numpy gives the same directions up to the last digits, and where two directions are
about equally strong even turned among themselves, so what is checked is that both keep the same of the states.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from frasier.memory.embedding.onnx_model import OnnxModel
from frasier.memory.embedding.projection import PACKAGED, Projection, fit_projection, packaged_projection

TARGET = Path(__file__).parent.parent / "src" / "frasier" / "memory" / "embedding" / PACKAGED


def shared(one: Projection, other: Projection) -> float:
    """How much of the space that one keeps the other keeps too, 0 to 1."""
    return float(np.linalg.norm(one.T @ other) ** 2 / one.shape[1])


if __name__ == "__main__":
    fitted = fit_projection(OnnxModel(None, threads=2))
    if "--check" in sys.argv:
        sys.exit(shared(fitted, packaged_projection()) < 0.999)
    np.save(TARGET, fitted.astype(np.float16))

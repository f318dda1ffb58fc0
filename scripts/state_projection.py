"""Fit the projection of the packaged encoder's token states; with --check, only check that the file is current.

On another machine or version of numpy the directions differ in their last digits, and two directions of about equal
strength may be rotated into each other. So the check compares the subspaces that the two projections keep.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from frasier.memory.embedding.onnx_model import OnnxModel
from frasier.memory.embedding.projection import PACKAGED, Projection, fit_projection, packaged_projection

TARGET = Path(__file__).parent.parent / "src" / "frasier" / "memory" / "embedding" / PACKAGED


def subspace_overlap(first: Projection, second: Projection) -> float:
    """Return the fraction of the first subspace that the second contains, 0 to 1."""
    return float(np.linalg.norm(first.T @ second) ** 2 / first.shape[1])


if __name__ == "__main__":
    fitted = fit_projection(OnnxModel(None, threads=2))
    if "--check" in sys.argv:
        sys.exit(subspace_overlap(fitted, packaged_projection()) < 0.999)
    np.save(TARGET, fitted.astype(np.float16))

"""Benchmarks of the design figures: `python -m bench`, with the target beside every number."""

import sys
from pathlib import Path

# The scripted servers of the tests are those of the measurements.
sys.path.append(str(Path(__file__).parent.parent / "tests"))

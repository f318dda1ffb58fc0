"""Duration of the start of the command line, compared with Python itself and its framework."""

from __future__ import annotations

import statistics
import sys

from bench.figures import Figure, at_most, spread
from bench.programs import FRASIER, run_program
from bench.sizes import Sizes
from bench.workspace import Workspace

_PROGRAMS = {
    "python": (sys.executable, "-c", "pass"),
    "typer": (sys.executable, "-c", "import typer"),
    "import": (sys.executable, "-c", "import frasier.app, frasier.interfaces.cli"),
    "help": (*FRASIER, "--help"),
}


def measure_startup(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure `frasier --help` and the import of the command line."""
    seconds: dict[str, list[float]] = {name: [] for name in _PROGRAMS}
    for repetition in range(sizes.starts + 1):
        for name, command in _PROGRAMS.items():
            elapsed, _ = run_program(command, workspace.environment)
            if repetition:  # the first one only loads the files into the page cache
                seconds[name].append(elapsed)
    median = {name: statistics.median(elapsed) for name, elapsed in seconds.items()}
    return [
        Figure(
            what=what,
            value=median[name],
            unit="s",
            target=at_most(0.3),
            detail=f"{spread(seconds[name], 's', 3)}; {median[name] / median['python']:.1f} × `python -c pass` "
            f"({median['python']:.3f} s), {median[name] / median['typer']:.1f} × `import typer` "
            f"({median['typer']:.3f} s)",
        )
        for name, what in (("help", "`frasier --help`"), ("import", "import of the command line"))
    ]

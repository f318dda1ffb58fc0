"""Write tests/long_tests.txt from the times of a run: `pytest --junitxml=RESULTS.xml`, then RESULTS.xml as argument.

Long is a test function of which one case takes LONG_S, or all cases FUNCTION_S. Of each file one long function stays in
`make test`: the first that takes at most STAYS_S, or else the quickest, if it takes at most STAYS_MAX_S.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "tests" / "long_tests.txt"
FOLDERS = ("acceptance", "simulation", "slice")
LONG_S, FUNCTION_S = 0.6, 4.0
STAYS_S, STAYS_MAX_S = 1.2, 3.5

HEAD = """\
# The tests that play whole missions or many cases: `make test-long` and CI run them, `make test` leaves them out.
# Written by `python scripts/long_tests.py RESULTS.xml`.
"""


def times_by_function(results: Path) -> dict[str, dict[str, list[float]]]:
    """Return the seconds of each case by file and function; a file is named as in a node id."""
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case in ET.parse(results).iter("testcase"):
        parts = [part for part in case.attrib["classname"].split(".") if not part.startswith("Test")]
        function = case.attrib["name"].partition("[")[0]
        times["/".join(parts) + ".py"][function].append(float(case.attrib["time"]))
    return times


def long_functions(times: dict[str, list[float]]) -> Iterator[str]:
    """Yield the long test functions of a file but for the one that stays."""
    found = {
        name: sum(cases) for name, cases in times.items() if max(cases) >= LONG_S or sum(cases) >= FUNCTION_S
    }
    stays = next((name for name, total in found.items() if total <= STAYS_S), None)
    if stays is None and found and min(found.values()) <= STAYS_MAX_S:
        stays = min(found, key=lambda name: found[name])
    return (name for name in found if name != stays)


if __name__ == "__main__":
    lines = [
        f"{file}::{function}\n"
        for file, times in sorted(times_by_function(Path(sys.argv[1])).items())
        if file.split("/")[1] in FOLDERS
        for function in sorted(long_functions(times))
    ]
    TARGET.write_text(HEAD + "".join(lines), encoding="utf-8")

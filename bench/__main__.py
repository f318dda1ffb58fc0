"""Entry point of `python -m bench`: measure, report, and exit with 1 if a target is missed."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from bench.backlog import measure_backlog
from bench.board_moves import measure_board_moves
from bench.claims import measure_claims
from bench.figures import Figure
from bench.http_latency import measure_http
from bench.machine import cores_in_use, describe_machine, wait_for_quiet
from bench.memory_engine import measure_engine
from bench.memory_use import measure_memory
from bench.mission import measure_mission
from bench.page import measure_page
from bench.report import Report, Section, has_report_markers, print_report, store_markdown
from bench.server_start import measure_server_start
from bench.sizes import FULL, QUICK, Sizes
from bench.startup import measure_startup
from bench.transitions import measure_transitions
from bench.workspace import Workspace, open_workspace
from frasier.kernel.logging_setup import configure_logging

MEASURES: dict[str, Callable[[Workspace, Sizes], list[Figure]]] = {
    "transition": measure_transitions,
    "board": measure_board_moves,
    "claims": measure_claims,
    "backlog": measure_backlog,
    "http": measure_http,
    "startup": measure_startup,
    "server": measure_server_start,
    "mission": measure_mission,
    "page": measure_page,
    "memory": measure_memory,
    "engine": measure_engine,
}
_PAGE = Path(__file__).parent.parent / "docs" / "BENCHMARKS.md"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure the performance figures of the design."
    )
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to check that everything runs")
    parser.add_argument(
        "--only", action="append", choices=list(MEASURES), help="run only this measurement; may be repeated"
    )
    parser.add_argument(
        "--sizes",
        type=_parse_sizes,
        help="numbers of memories to measure the engine with, such as 10000,100000",
    )
    parser.add_argument(
        "--peers",
        action="store_true",
        help="also measure other stores, which are installed into the user's cache",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document to standard output")
    parser.add_argument(
        "--markdown",
        nargs="?",
        type=Path,
        const=_PAGE,
        help=f"also write the figures to this page (default {_PAGE.name})",
    )
    arguments = parser.parse_args()
    if arguments.markdown and not has_report_markers(
        arguments.markdown
    ):  # fail before half an hour of measuring
        parser.error(f"{arguments.markdown} does not exist or has no markers for the figures")
    return arguments


def _parse_sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(size) for size in text.split(","))
    if min(sizes) < 1:
        raise ValueError(text)
    return sizes


def _measure(names: list[str], sizes: Sizes, *, quick: bool) -> Report:
    console = Console(stderr=True)
    with open_workspace() as workspace:
        machine = describe_machine(workspace)
        sections = []
        for name in names:
            console.print(f"measuring {name} …", style="dim", highlight=False)
            before, started = wait_for_quiet(sizes.quiet_s, sizes.load_probe_s), time.monotonic()
            figures = MEASURES[name](workspace, sizes)
            seconds = time.monotonic() - started
            sections.append(Section(name, figures, (before, cores_in_use(sizes.load_probe_s)), seconds))
    return Report(machine, sections, quick)


def main() -> int:
    arguments = _arguments()
    for name in [name for name in os.environ if name.startswith("FRASIER_")]:
        del os.environ[name]  # measure the defaults
    configure_logging("error")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that child processes are stopped
    sizes = QUICK if arguments.quick else FULL
    sizes = replace(sizes, memories=arguments.sizes or sizes.memories, peers=arguments.peers)
    report = _measure(arguments.only or list(MEASURES), sizes, quick=arguments.quick)
    if arguments.json:
        print(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        print_report(report, Console())
    if arguments.markdown:
        store_markdown(report, arguments.markdown)
    return 1 if report.missed and not arguments.quick else 0


if __name__ == "__main__":
    sys.exit(main())

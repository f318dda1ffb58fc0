"""The report of a run: a table for people, JSON for programs, and the section of docs/BENCHMARKS.md."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.figures import Figure
from bench.machine import Machine

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass(frozen=True, slots=True)
class Section:
    """The figures of one measurement, the cores that other programs used before and after it, and its duration."""

    name: str
    figures: list[Figure]
    others_cores: tuple[float, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """All sections of a run. Figures of `quick` sizes only show that everything runs; do not publish them."""

    machine: Machine
    sections: list[Section]
    quick: bool

    @property
    def missed(self) -> list[Figure]:
        return [figure for section in self.sections for figure in section.figures if figure.met is False]

    def as_json(self) -> dict[str, Any]:
        return {
            "machine": asdict(self.machine),
            "quick": self.quick,
            "figures": [
                {
                    "measure": section.name,
                    "what": figure.what,
                    "value": figure.value,
                    "unit": figure.unit,
                    "target": None if figure.target is None else str(figure.target),
                    "met": figure.met,
                    "detail": figure.detail,
                }
                for section in self.sections
                for figure in section.figures
            ],
            "seconds": {section.name: round(section.seconds, 1) for section in self.sections},
            "cores_used_by_others": {section.name: section.others_cores for section in self.sections},
            "missed": [figure.what for figure in self.missed],
        }


def print_report(report: Report, console: Console) -> None:
    for line in report.machine.lines:
        console.print(line, style="dim", highlight=False)
    table = Table(
        title="Figures of the design" + (" (quick: sizes too small to publish)" if report.quick else "")
    )
    for column in ("measure", "what", "measured", "target", "", "beside"):
        table.add_column(column, justify="right" if column in {"measured", "target"} else "left")
    for section in report.sections:
        for number, figure in enumerate(section.figures):
            table.add_row(
                section.name if number == 0 else "",
                figure.what,
                format_value(figure),
                "" if figure.target is None else str(figure.target),
                _target_text(figure),
                Text(figure.detail, style="dim"),
                end_section=number == len(section.figures) - 1,
            )
    console.print(table)
    console.print(_verdict(report), style="bold", highlight=False)
    console.print(_load_of_others(report), style="dim", highlight=False)


def format_value(figure: Figure) -> str:
    """Return the value with its unit and a suitable number of digits."""
    digits = 0 if figure.value >= 100 or figure.unit == "" else 1 if figure.value >= 20 else 2
    return f"{figure.value:,.{digits}f} {figure.unit}".rstrip()


def _target_text(figure: Figure) -> Text:
    match figure.met:
        case None:
            return Text("")
        case True:
            return Text("met", style="green")
        case False:
            return Text("missed", style="bold red")


def _verdict(report: Report) -> str:
    with_target = [figure for section in report.sections for figure in section.figures if figure.target]
    if not report.missed:
        return f"All {len(with_target)} targets are met."
    names = "; ".join(figure.what for figure in report.missed)
    return f"{len(report.missed)} of {len(with_target)} targets are missed: {names}."


def _load_of_others(report: Report) -> str:
    used = ", ".join(
        f"{section.name} {section.others_cores[0]:.1f}/{section.others_cores[1]:.1f}"
        for section in report.sections
    )
    return f"Cores that other programs used just before/after each measure: {used}."


def as_markdown(report: Report) -> str:
    lines = [*(f"{line}.  " for line in report.machine.lines), ""]
    if report.quick:
        lines += ["**Quick sizes: this shows that everything runs, not how fast.**", ""]
    lines += ["| measure | what | measured | target | | beside |", "|---|---|--:|--:|---|---|"]
    for section in report.sections:
        for figure in section.figures:
            target = "" if figure.target is None else str(figure.target)
            verdict = {True: "met", False: "**missed**", None: ""}[figure.met]
            lines.append(
                f"| {section.name} | {figure.what} | {format_value(figure)} | {target} | {verdict} | {figure.detail} |"
            )
    return "\n".join([*lines, "", f"{_verdict(report)} {_load_of_others(report)}"])


def has_report_markers(page: Path) -> bool:
    """Return True if the page exists and has the markers between which figures are written."""
    text = page.read_text("utf-8") if page.is_file() else ""
    return END in text.partition(BEGIN)[2]


def store_markdown(report: Report, page: Path) -> None:
    """Write the report between the markers of `page`; keep the text around them, which people write."""
    head, _, rest = page.read_text("utf-8").partition(BEGIN)
    page.write_text(f"{head}{BEGIN}\n{as_markdown(report)}\n{END}{rest.partition(END)[2]}", "utf-8")

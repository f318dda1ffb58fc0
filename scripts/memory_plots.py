"""Draw the plots in docs/memory: retention over time, recall of each arm, and latency by size.

python scripts/memory_plots.py decay
python scripts/memory_plots.py arms FILE        a file that `frasier memory bench --json` wrote
python scripts/memory_plots.py latency FILE     a file that `python -m bench --only engine --json` wrote
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from frasier.memory.forgetting.states import COLD_MIN, DORMANT_MIN, HOT_MIN, IDLE_DAYS_MAX, WARM_MIN
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

FOLDER = Path(__file__).parent.parent / "docs" / "memory"
_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 68, 170, 40, 46

# Readable on white and on black; the position of its label also tells each line apart.
_STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.title { font-size: 14px; font-weight: 600 } .quiet { fill: #6a737d }
.axis { stroke: #8c959f; stroke-width: 1 } .grid { stroke: #8c959f; stroke-opacity: .25 }
.band { fill: #8c959f } .line { fill: none; stroke-width: 2.2; stroke-linejoin: round }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .quiet { fill: #9198a1 } }
"""
_COLOURS = ("#2f81d7", "#d9730d", "#2da44e", "#a371f7", "#d4429b", "#8c959f")


@dataclass
class Plot:
    """An SVG with axes. `x` and `y` convert values to coordinates; shapes are drawn in the order of their addition."""

    title: str
    x: Callable[[float], float]
    y: Callable[[float], float]
    height: int = _HEIGHT
    shapes: list[str] = field(default_factory=list)

    def line(self, points: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False) -> None:
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.shapes.append(f'<polyline class="line" points="{path}" stroke="{colour}"{dashes}/>')

    def dot(self, x: float, y: float, colour: str) -> None:
        self.shapes.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3.5" fill="{colour}"/>')

    def text(
        self, x: float, y: float, label: str, *, kind: str = "", anchor: str = "start", colour: str = ""
    ) -> None:
        """Add a text at coordinates of the plot, not at a value."""
        fill = f' style="fill:{colour}"' if colour else ""
        self.shapes.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(label)}</text>'
        )

    def box(self, left: float, top: float, right: float, bottom: float, style: str) -> None:
        self.shapes.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" {style}/>'
        )

    def rule(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self.shapes.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def ticks(self, xs: Iterable[tuple[float, str]], ys: Iterable[tuple[float, str]]) -> None:
        bottom, right = self.height - _BOTTOM, _WIDTH - _RIGHT
        for value, label in xs:
            self.text(self.x(value), bottom + 18, label, kind="quiet", anchor="middle")
        for value, label in ys:
            self.rule(_LEFT, self.y(value), right, self.y(value), "grid")
            self.text(_LEFT - 8, self.y(value) + 4, label, kind="quiet", anchor="end")
        self.rule(_LEFT, bottom, right, bottom, "axis")

    def store(self, name: str) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        body = "\n".join(self.shapes)
        (FOLDER / name).write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {self.height}" role="img"'
            f' aria-label="{escape(self.title)}"><style>{_STYLE}</style>\n'
            f'<text class="title" x="{_LEFT}" y="22">{escape(self.title)}</text>\n{body}\n</svg>\n',
            "utf-8",
        )


def _scale(
    lowest: float, highest: float, start: float, end: float, *, log: bool = False
) -> Callable[[float], float]:
    scale: Callable[[float], float] = math.log10 if log else float
    low, high = scale(lowest), scale(highest)
    return lambda value: start + (scale(value) - low) / (high - low) * (end - start)


def _spread_labels(positions: Sequence[float], gap: float = 15) -> list[float]:
    """Return the positions of labels, moved apart so that they do not overlap."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    spread = list(positions)
    for before, index in pairwise(order):
        spread[index] = max(spread[index], spread[before] + gap)
    return spread


def draw_decay() -> None:
    """Draw the retention of an unused memory by its type, over the bands of the resulting states."""
    days, lowest = 100, 0.01
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    plot = Plot(
        "What is retained of a memory that nobody touches",
        _scale(0, days, _LEFT, right),
        _scale(lowest, 1, bottom, _TOP, log=True),
    )
    bounds = (
        ("hot", 1.0, HOT_MIN),
        ("warm", HOT_MIN, WARM_MIN),
        ("cold", WARM_MIN, COLD_MIN),
        ("dormant", COLD_MIN, DORMANT_MIN),
        ("archived", DORMANT_MIN, lowest),
    )
    for depth, (name, highest, low) in enumerate(bounds):
        style = f'class="band" fill-opacity="{0.04 + 0.05 * depth:.2f}"'
        plot.box(_LEFT, plot.y(highest), plot.x(IDLE_DAYS_MAX), plot.y(low), style)
        position = (plot.y(highest) + plot.y(low)) / 2 + 4
        plot.text(plot.x(IDLE_DAYS_MAX) - 6, position, name, kind="quiet", anchor="end")
    plot.box(plot.x(IDLE_DAYS_MAX), _TOP, right, bottom, 'class="band" fill-opacity="0.24"')
    plot.text((plot.x(IDLE_DAYS_MAX) + right) / 2, bottom - 64, "archived", kind="quiet", anchor="middle")
    plot.ticks(
        [(day, str(day)) for day in range(0, days + 1, 10)],
        [(fraction, f"{fraction:.0%}") for fraction in (1, HOT_MIN, 0.5, WARM_MIN, COLD_MIN, DORMANT_MIN)],
    )
    curves = {memory_type: _curve(memory_type, days) for memory_type in MemoryType}
    lasting = [memory_type for memory_type, points in curves.items() if points[-1][1] == 1]
    fading = [memory_type for memory_type in MemoryType if memory_type not in lasting]
    names = _spread_labels([plot.y(curves[memory_type][-1][1]) for memory_type in fading])
    for colour, memory_type, position in zip(_COLOURS, fading, names, strict=False):
        plot.line(curves[memory_type], colour)
        plot.text(right + 8, position + 4, memory_type, colour=colour)
    plot.line(curves[lasting[0]], _COLOURS[-1])
    for row, memory_type in enumerate(lasting):
        plot.text(right + 8, _TOP + 4 + 14 * row, memory_type, kind="quiet")
    plot.text((_LEFT + right) / 2, _HEIGHT - 8, "days since it was saved", kind="quiet", anchor="middle")
    plot.store("decay.svg")


def _curve(memory_type: MemoryType, days: int) -> list[tuple[float, float]]:
    return [
        (
            step / 4,
            UsageStats(
                kind=MemoryKind.OBSERVATION,
                tier=ImportanceTier.NORMAL,
                memory_type=memory_type,
                age_days=step / 4,
            ).retrievability,
        )
        for step in range(days * 4 + 1)
    ]


def draw_arms(results: dict[str, Any]) -> None:
    """Draw recall@10 of each configuration on one collection."""
    arms = results["arms"]
    height = _TOP + 34 * len(arms) + _BOTTOM
    name_width = 130
    scale = _scale(0, 1, _LEFT + name_width, _WIDTH - 70)
    plot = Plot(
        f"{results['collection']}: how much of what answers is among the first ten", scale, scale, height
    )
    for row, arm in enumerate(arms):
        top, value = _TOP + 34 * row, arm["overall"]["recall_10"]
        plot.text(_LEFT + name_width - 8, top + 16, arm["arm"], anchor="end")
        last = row == len(arms) - 1
        plot.box(
            scale(0), top, scale(value), top + 22, f'rx="2" fill="{_COLOURS[0] if last else _COLOURS[-1]}"'
        )
        plot.text(scale(value) + 6, top + 16, f"{value:.3f}")
    for fraction in (0.0, 0.25, 0.5, 0.75, 1.0):
        plot.rule(scale(fraction), _TOP - 4, scale(fraction), height - _BOTTOM, "grid")
        plot.text(scale(fraction), height - _BOTTOM + 16, f"{fraction:.2f}", kind="quiet", anchor="middle")
    caption = f"recall@10 of {arms[0]['questions']:,} questions, {results['memories']:,} memories"
    plot.text(_LEFT, height - 8, caption, kind="quiet")
    plot.store("recall-by-arm.svg")


_LINES = {
    "the whole recall": r"the whole default recall at ([\d,]+) memories, p95",
    "retrieval and fusion": r"retrieval and fusion at ([\d,]+) memories, p95",
    "saving": r"save at ([\d,]+) memories, durable, p95",
    "ten by words": r"ten best by words at ([\d,]+), p95",
    "ten by vector": r"ten nearest vectors at ([\d,]+), p95",
}


def draw_latency(report: dict[str, Any]) -> None:
    """Draw the 95th percentile of each step by the number of memories, and the bounds of retrieval."""
    series = {name: sorted(_points(report, pattern)) for name, pattern in _LINES.items()}
    series = {name: points for name, points in series.items() if points}
    sizes = sorted({size for points in series.values() for size, *_ in points})
    values = [value for points in series.values() for _, value, _ in points]
    values += [limit for points in series.values() for *_, limit in points if limit]
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    decades = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    plot = Plot(
        "How long it takes, 95th percentile",
        _scale(sizes[0] / 1.3, sizes[-1] * 1.3, _LEFT, right, log=True),
        _scale(10 ** decades[0], 10 ** decades[-1], bottom, _TOP, log=True),
    )
    plot.ticks([(size, f"{size:,}") for size in sizes], [(10**ten, f"{10**ten:g} ms") for ten in decades])
    names = _spread_labels([plot.y(points[-1][1]) for points in series.values()])
    for (name, points), colour, position in zip(series.items(), _COLOURS, names, strict=False):
        plot.line([(size, value) for size, value, _ in points], colour)
        for size, value, _ in points:
            plot.dot(size, value, colour)
        if name == "retrieval and fusion" and (
            bounds := [(size, limit) for size, _, limit in points if limit]
        ):
            plot.line(bounds, colour, dashed=True)
        plot.text(right + 8, position + 4, name, colour=colour)
    plot.text(
        (_LEFT + right) / 2,
        _HEIGHT - 8,
        "memories; dashed: the bound for retrieval and fusion",
        kind="quiet",
        anchor="middle",
    )
    plot.store("latency-by-size.svg")


def _points(report: dict[str, Any], pattern: str) -> Iterable[tuple[int, float, float | None]]:
    for figure in report["figures"]:
        if match := re.fullmatch(pattern, figure["what"]):
            limit = figure["target"]
            yield (
                int(match[1].replace(",", "")),
                figure["value"],
                float(limit.removeprefix("≤ ").replace(",", "")) if limit else None,
            )


def main() -> int:
    match sys.argv[1:]:
        case ["decay"]:
            draw_decay()
        case ["arms", path]:
            draw_arms(json.loads(Path(path).read_text("utf-8")))
        case ["latency", path]:
            draw_latency(json.loads(Path(path).read_text("utf-8")))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Charts as SVG, each with its numbers in a table: bars, a sparkline, and a line with its interval. Pure.

Their colours come from the style sheet by class. They are as wide as their place: what is drawn is stretched, and no
text stands in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from frasier.interfaces.web.markup import element

_HEIGHT = 100.0
_WIDTH = 100.0
_BAR_HEIGHT = 6
_MARGIN = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A labelled value. `shown` is how it is written, `href` leads to what it is about, `kind` is a class of colour."""

    label: str
    value: float
    shown: str
    href: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value of a line, in its order. `low` and `high` are the interval that it is in, where one is known."""

    label: str
    value: float
    shown: str
    low: float | None = None
    high: float | None = None


def bar_chart(caption: str, bars: Sequence[Bar], *, limit: float | None = None) -> Markup:
    """Return a table with a bar in each row. With a `limit`, such as a budget, the bars are shares of it."""
    top = limit or max((bar.value for bar in bars), default=0.0)
    rows = [
        element(
            "tr",
            element("th", _linked(bar.label, bar.href), scope="row"),
            element("td", bar.shown, class_="number"),
            element("td", meter(bar.value, top, kind=bar.kind), class_="drawn"),
        )
        for bar in bars
    ]
    return element("table", element("caption", caption), element("tbody", *rows), class_="chart bars")


def meter(value: float, limit: float, *, kind: str = "") -> Markup:
    """Return a bar for `value` of `limit`, without text: the number stands beside it. More than the limit is marked."""
    share = min(max(value / limit, 0.0), 1.0) if limit > 0 else 0.0
    classes = " ".join(filter(None, ("meter", kind, "over" if limit > 0 and value > limit else "")))
    return element(
        "svg",
        element("rect", class_="track", width="100%", height="100%", rx="3"),
        element("rect", class_="value", width=f"{share * 100:.2f}%", height="100%", rx="3"),
        class_=classes,
        width="100%",
        height=str(_BAR_HEIGHT),
        aria_hidden="true",
    )


def sparkline(caption: str, points: Sequence[Point]) -> Markup:
    """Return a small line for a line of text, with its first, last and highest value as its description."""
    if not points:
        return element("span", "no values yet", class_="sparkline empty")
    highest = max(points, key=lambda point: point.value)
    description = (
        f"{caption}: {points[0].label} {points[0].shown}, {points[-1].label} {points[-1].shown}, "
        f"highest {highest.label} {highest.shown}"
    )
    place = _Place(points)
    return _drawing("sparkline", description, _line(place), _dot(place, len(points) - 1))


def line_chart(caption: str, points: Sequence[Point]) -> Markup:
    """Return a line with its interval, and its values as a table that opens."""
    rows = [
        element(
            "tr",
            element("th", point.label, scope="row"),
            element("td", point.shown, class_="number"),
        )
        for point in points
    ]
    table = element("table", element("caption", caption), element("tbody", *rows))
    numbers = element("details", element("summary", "Values"), table)
    if not points:
        return element("figure", element("figcaption", caption), "No values yet.", class_="chart line")
    lowest, highest = (pick(points, key=lambda point: point.value) for pick in (min, max))
    description = f"{caption}: from {lowest.shown} ({lowest.label}) to {highest.shown} ({highest.label})"
    place = _Place(points)
    dots = (_dot(place, index) for index in range(len(points)))
    ends = element(
        "div",
        element("span", points[0].label),
        element("span", points[-1].label),
        class_="ends",
        aria_hidden="true",
    )
    return element(
        "figure",
        element("figcaption", caption),
        element("div", element("span", highest.shown), class_="highest", aria_hidden="true"),
        _drawing("line", description, _interval(place), _line(place), *dots),
        element("div", element("span", lowest.shown), class_="lowest", aria_hidden="true"),
        ends,
        numbers,
        class_="chart line",
    )


class _Place:
    """Coordinates of the values of a line: the lowest at the bottom of the drawing, the highest at its top."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = points
        values = [
            value for point in points for value in (point.value, point.low, point.high) if value is not None
        ]
        self._lowest = min(values)
        self._range = (max(values) - self._lowest) or 1.0

    def x(self, index: int) -> float:
        return index * _WIDTH / (len(self.points) - 1) if len(self.points) > 1 else _WIDTH / 2

    def y(self, value: float) -> float:
        share = (value - self._lowest) / self._range
        return _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)


def _drawing(kind: str, description: str, *content: Markup) -> Markup:
    return element(
        "svg",
        *content,
        class_=kind,
        view_box=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        preserve_aspect_ratio="none",
        role="img",
        aria_label=description,
    )


def _line(place: _Place) -> Markup:
    return element("polyline", class_="value", points=_corners(_values(place)))


def _values(place: _Place) -> Iterator[tuple[float, float]]:
    for index, point in enumerate(place.points):
        yield place.x(index), place.y(point.value)


def _interval(place: _Place) -> Markup:
    known = [
        (place.x(index), place.y(point.low), place.y(point.high))
        for index, point in enumerate(place.points)
        if point.low is not None and point.high is not None
    ]
    edge = [(x, high) for x, _, high in known] + [(x, low) for x, low, _ in reversed(known)]
    return element("polygon", class_="interval", points=_corners(edge)) if known else Markup("")


def _dot(place: _Place, index: int) -> Markup:
    # A line without length has round ends, which the stretching of the drawing leaves round.
    point = place.points[index]
    path = f"M{place.x(index):.2f} {place.y(point.value):.2f}h0"
    return element("path", element("title", f"{point.label}: {point.shown}"), class_="dot", d=path)


def _corners(places: Sequence[tuple[float, float]] | Iterator[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)


def _linked(label: str, href: str) -> str:
    return element("a", label, href=href) if href else label

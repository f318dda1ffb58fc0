"""Charts: drawn from numbers, with the numbers beside them, and with nothing that a text could smuggle in."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup

from frasier.interfaces.web.charts import Bar, Point, bar_chart, line_chart, meter, sparkline

HOSTILE = '"><script>alert(1)</script>\r<b>'


def bars(*values: float) -> list[Bar]:
    return [Bar(label=f"mission {n}", value=value, shown=f"${value:.2f}") for n, value in enumerate(values)]


def points(*values: float) -> list[Point]:
    return [
        Point(label=f"day {n}", value=value, shown=f"{value:g}", low=value - 1, high=value + 1)
        for n, value in enumerate(values)
    ]


def parsed(chart: Markup) -> ET.Element:
    return ET.fromstring(chart)


def widths(chart: Markup) -> list[str]:
    return [rect.attrib["width"] for rect in parsed(chart).iter("rect") if rect.attrib["class"] == "value"]


def test_the_longest_bar_fills_its_place_and_the_others_are_shares_of_it():
    chart = bar_chart("Spend", bars(2, 1, 0))
    assert widths(chart) == ["100.00%", "50.00%", "0.00%"]
    assert [cell.text for cell in parsed(chart).iter("td") if cell.text] == ["$2.00", "$1.00", "$0.00"]


def test_bars_with_a_limit_are_shares_of_it_and_more_than_it_is_marked():
    chart = bar_chart("Spend", bars(5, 1), limit=2)
    assert widths(chart) == ["100.00%", "50.00%"]
    assert [svg.attrib["class"] for svg in parsed(chart).iter("svg")] == ["meter over", "meter"]
    assert 'class="meter over"' not in meter(2, 2)


@pytest.mark.parametrize("values", [(), (0,), (0, 0)])
def test_bars_without_any_value_are_empty(values: tuple[float, ...]):
    assert widths(bar_chart("Spend", bars(*values))) == ["0.00%"] * len(values)


def test_a_line_rises_with_its_values_within_its_drawing_and_lists_them():
    chart = parsed(line_chart("Score", points(3, 5, 4)))
    line = next(shape for shape in chart.iter("polyline"))
    heights = [float(corner.split(",")[1]) for corner in line.attrib["points"].split()]
    assert heights[1] < heights[2] < heights[0]
    corners = [shape.attrib["points"].split() for shape in chart.iter() if "points" in shape.attrib]
    assert all(
        0 <= float(number) <= 100 for shape in corners for corner in shape for number in corner.split(",")
    )
    assert [row.text for row in chart.iter("td")] == ["3", "5", "4"]
    drawing = next(chart.iter("svg"))
    assert drawing.attrib["aria-label"] == "Score: from 3 (day 0) to 5 (day 1)"


def test_a_line_of_equal_or_single_values_can_be_drawn():
    for values in ((2, 2, 2), (7,)):
        flat = [Point(label="day", value=value, shown=str(value)) for value in values]
        assert "nan" not in line_chart("Score", flat)
        assert not list(parsed(line_chart("Score", flat)).iter("polygon")), "no interval is known"


def test_charts_without_values_say_so():
    assert "No values yet" in line_chart("Score", [])
    assert "no values yet" in sparkline("Score", [])


def test_a_sparkline_describes_itself():
    chart = parsed(sparkline("Calls", points(1, 9, 4)))
    assert chart.attrib["role"] == "img"
    assert chart.attrib["aria-label"] == "Calls: day 0 1, day 2 4, highest day 1 9"


def test_nothing_in_a_text_becomes_markup_and_nothing_is_styled_inline():
    charts = [
        bar_chart(HOSTILE, [Bar(label=HOSTILE, value=1, shown=HOSTILE, href=HOSTILE, kind=HOSTILE)]),
        line_chart(HOSTILE, [Point(label=HOSTILE, value=1, shown=HOSTILE)]),
        sparkline(HOSTILE, [Point(label=HOSTILE, value=1, shown=HOSTILE)]),
    ]
    for chart in charts:
        assert {"script", "b"}.isdisjoint(shape.tag for shape in parsed(chart).iter())
        assert "style=" not in chart

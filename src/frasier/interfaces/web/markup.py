"""HTML and SVG built in code: every text and attribute is escaped, so that nothing in it can become markup. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

Attribute = str | float | bool | None


def element(tag: str, *content: str, **attributes: Attribute) -> Markup:
    """Return an element with its content and attributes.

    In the name of an attribute `_` stands for `-`, and one at its end is left out: `class_`, `aria_label`. None and
    False leave an attribute out, True gives it without a value. Numbers are rounded to a tenth, which is a tenth of a
    pixel.
    """
    names = "".join(_attribute(name, value) for name, value in attributes.items())
    return Markup(f"<{tag}{names}>{''.join(map(escape, content))}</{tag}>")  # noqa: S704 - of escaped parts


def join(parts: Iterable[str]) -> Markup:
    """Return texts and elements behind each other."""
    return Markup("").join(parts)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    spelled = _SPELLED.get(name) or name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {spelled}"
    text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value
    return f' {spelled}="{escape(text)}"'


# Names of SVG that are written with capital letters.
_SPELLED = {
    "view_box": "viewBox",
    "preserve_aspect_ratio": "preserveAspectRatio",
    "pattern_units": "patternUnits",
    "pattern_transform": "patternTransform",
    "marker_width": "markerWidth",
    "marker_height": "markerHeight",
    "ref_x": "refX",
    "ref_y": "refY",
}

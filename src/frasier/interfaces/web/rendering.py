"""Templates: how values are written, and pages and fragments made of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from frasier.interfaces.advice import PageWords, render_hints
from frasier.interfaces.web.page import Fragment, PageContent
from frasier.interfaces.web.static_files import static_address
from frasier.kernel.humanize import dollars, duration, person, plural
from frasier.kernel.text import shorten

_ID_CHARS = 8


@cache
def templates() -> Environment:
    """Return the templates, each compiled when it is first used."""
    env = Environment(
        loader=PackageLoader("frasier.interfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.globals |= {
        "static": static_address,
        "fragment": _fragment,
        "plural": plural,
    }
    env.filters |= {
        "usd": dollars,
        "duration": duration,
        "person": person,
        "words": lambda text: str(text).replace("_", " "),
        "short_id": lambda identity: str(identity)[-_ID_CHARS:],
        "shorten": shorten,
        "moment": _moment,
        "minutes": _minutes,
        "zone_name": _zone_name,
        "advice": lambda advice: render_hints(advice, PageWords()),
    }
    return env


def render_page(template: str, content: PageContent, values: Mapping[str, Any]) -> str:
    """Return a whole page."""
    fragments = {fragment.id: fragment for fragment in content.fragments}
    return (
        templates()
        .get_template(template)
        .render({**values, **content.values, "title": content.title, "fragments": fragments})
    )


def render_fragment(fragment: Fragment, values: Mapping[str, Any]) -> str:
    """Return the HTML of a fragment as its page shows it."""
    return templates().get_template(fragment.template).render({**values, **fragment.values}).strip()


@pass_context
def _fragment(context: Context, identity: str) -> Markup:
    """Place a fragment in a page; the values that the page has besides are those of a patch, too."""
    values = {name: context[name] for name in SHARED_VALUES}
    return Markup(render_fragment(context["fragments"][identity], values))  # noqa: S704  a template made it, which escapes


SHARED_VALUES = ("csrf", "page", "now", "time_zone", "read_only")
"""Values that each page and each patch are rendered with."""


@cache
def zone_of(name: str) -> tzinfo | None:
    """Return the time zone of a setting; None for that of the machine."""
    return ZoneInfo(name) if name else None


@pass_context
def _moment(context: Context, at: datetime) -> Markup:
    """Return a moment as the founder's clock shows it: the time of today, the day of others."""
    zone = zone_of(context["time_zone"])
    local, now = at.astimezone(zone), context["now"].astimezone(zone)
    if local.date() == now.date():
        text = f"{local:%H:%M}"
    else:
        text = (
            f"{local.day} {local:%b}, {local:%H:%M}"
            if local.year == now.year
            else f"{local.day} {local:%b %Y}"
        )
    exact = f"{local.day} {local:%B %Y, %H:%M:%S} {local.tzname() or ''}".strip()
    stamp = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(stamp, exact, text)


@pass_context
def _zone_name(context: Context, at: datetime) -> str:
    """Return the name of the founder's time zone, at a moment."""
    return context["time_zone"] or f"in {at.astimezone().tzname()}"


def _minutes(seconds: float) -> str:
    """Return an estimate of time in whole minutes: it is no more exact, and pages change less often."""
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"

"""Notes of a text that open in place without a script: what a citation or a mark of doubt rests on. Pure."""

from __future__ import annotations

_OPENS = {"cite": "Show the passages of source", "doubt": "Show why this is"}


def popover_note(*, target: str, kind: str, label: str, note: str, name: str) -> str:
    """Return a mark as a button that opens its note; `label` and `note` are HTML already."""
    opens = f"{_OPENS.get(kind, 'Show')} {label.strip('[]')}"
    more = f'<span class="more"><a href="{target}">All of it below</a></span>'
    return (
        f'<span class="{kind}"><button type="button" class="mark" popovertarget="{name}" aria-label="{opens}">{label}'
        f'</button><span popover class="note" id="{name}">{note}{more}</span></span>'
    )

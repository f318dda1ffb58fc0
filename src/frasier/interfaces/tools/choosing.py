"""Which tools of a toolbox a host is given."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from frasier.interfaces.tools.tool import Layer, Tool
from frasier.kernel.errors import InvalidInput


def choose_tools(
    tools: Mapping[str, Tool[Any]],
    *,
    names: Collection[str] = (),
    layers: Collection[int] = (),
    default: Collection[str],
) -> Mapping[str, Tool[Any]]:
    """The tools of those names and layers in the order of `tools`; those of `default` where neither is given.

    Raises InvalidInput for a name or layer that there is none of.
    """
    unknown = sorted(set(names) - tools.keys())
    if unknown:
        raise InvalidInput(
            f"There is no tool {unknown[0][:80]!r}.", number="E030", hint=f"There are {', '.join(tools)}."
        )
    if not set(layers) <= set(Layer):
        raise InvalidInput("There is no such layer.", number="E032", hint="Layers are 1 to 5.")
    if not names and not layers:
        names = default
    return {name: tool for name, tool in tools.items() if name in names or tool.layer in layers}

"""Selection of the tools to offer to a host: by name, by layer, or by default."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import IntEnum
from typing import Protocol, TypeVar

from frasier.kernel.errors import InvalidInput


class Layer(IntEnum):
    """A level of detail, from broad to exact; a host chooses the layers to offer to its model."""

    ORCHESTRATION = 1
    DISCOVERY = 2
    SURGICAL = 3
    EXPLORATION = 4
    DETAIL = 5


class Layered(Protocol):
    """A tool or its catalog entry."""

    @property
    def layer(self) -> Layer: ...


LayeredTool = TypeVar("LayeredTool", bound=Layered)


def choose_tools(
    tools: Mapping[str, LayeredTool],
    *,
    names: Collection[str] = (),
    layers: Collection[int] = (),
    default: Collection[str],
) -> Mapping[str, LayeredTool]:
    """Return the tools with the given names or layers, in the order of `tools`; those of `default` if neither is given.

    Raise InvalidInput for an unknown name or layer.
    """
    unknown = sorted(set(names) - tools.keys())
    if unknown:
        raise InvalidInput(
            f"There is no tool {unknown[0][:80]!r}.",
            number="E030",
            kept="Nothing was changed.",
            hint=f"There are {', '.join(tools)}.",
        )
    if not set(layers) <= set(Layer):
        raise InvalidInput("There is no such layer.", number="E032", hint="Layers are 1 to 5.")
    if not names and not layers:
        names = default
    return {name: tool for name, tool in tools.items() if name in names or tool.layer in layers}

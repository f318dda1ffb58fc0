"""Values built from attributes of the same names."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from frasier.kernel.copy_fields import copy_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    title: str
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    title: str
    cost: int
    kind: str
    note: str = ""


def test_a_field_is_what_is_given_else_the_attribute_of_its_name_else_its_default():
    assert copy_fields(Line, Row(title="Tea", cost=2), cost=3, kind="drink") == Line(
        title="Tea", cost=3, kind="drink"
    )


def test_the_first_source_that_has_an_attribute_gives_it():
    first, second = Row(title="Tea", cost=2), Line(title="Coffee", cost=4, kind="drink", note="hot")
    assert copy_fields(Line, first, second) == Line(title="Tea", cost=2, kind="drink", note="hot")


def test_a_field_that_nothing_gives_is_missed():
    with pytest.raises(TypeError, match="kind"):
        copy_fields(Line, Row(title="Tea", cost=2))

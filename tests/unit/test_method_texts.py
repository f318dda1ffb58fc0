"""The methods of the catalogue: one for each skill, genuine and of its own."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from frasier.org.skills.catalog import _table
from frasier.org.skills.method_catalog import catalogue_methods
from frasier.org.skills.skill_versions import SHORT_CHARS_MAX

METHODS = catalogue_methods()
FLATTERY = re.compile(
    r"\b(?:world-class|expert|excellent|brilliant|master of|you are|level \d)\b", re.IGNORECASE
)


def test_every_skill_of_the_catalogue_has_a_method_and_no_other_has():
    assert METHODS.keys() == _table()["keywords"].keys()


@pytest.mark.parametrize("skill", sorted(METHODS))
def test_a_method_says_how_the_work_is_done_checked_and_finished(skill):
    method = METHODS[skill]
    assert 40 <= len(method.short) <= 300 < SHORT_CHARS_MAX
    assert "\n" not in method.short
    assert 100 <= len(method.long.split()) <= 250
    steps = re.findall(r"^\d\. ", method.long, re.MULTILINE)
    assert len(steps) >= 4
    assert [int(step[0]) for step in steps] == list(range(1, len(steps) + 1))
    for part in ("\nCheck: ", "\nUsual mistakes: ", "\nFinished, it "):
        assert method.long.count(part) == 1
    assert not FLATTERY.search(f"{method.short} {method.long}")


def test_no_two_methods_are_the_same_text():
    for one, other in combinations(METHODS.values(), 2):
        assert len(words(one.long) & words(other.long)) < 0.5 * min(
            len(words(one.long)), len(words(other.long))
        )


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.casefold()))

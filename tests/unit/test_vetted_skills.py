"""Hostile skills and personas are refused, and harmless skills in the shape of public ones are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.org.people import Persona, find_persona_faults
from frasier.org.skills.third_party.gates import GateOutcome, findings_of_scanner
from frasier.org.skills.third_party.package import PackageFile, digest_of, parse_package
from frasier.org.skills.third_party.read_commit import parse_commit_source
from frasier.org.skills.third_party.read_folder import read_folder
from frasier.org.skills.third_party.static_gate import check_by_rules
from support.hostile_skills import HostileSkill, hostile_personas, hostile_skills
from support.sample_folders import read_samples, write_skill


def is_refused(folder: Path) -> bool:
    try:
        return check_by_rules(parse_package(read_folder(folder))).outcome is GateOutcome.FLAGGED
    except InvalidInput as error:
        assert "Nothing was stored" in error.kept
        return True


@pytest.mark.parametrize("skill", hostile_skills(), ids=lambda skill: f"{skill.kind}-{skill.name[-2:]}")
def test_each_hostile_skill_is_refused(tmp_path: Path, skill: HostileSkill) -> None:
    assert is_refused(skill.write(tmp_path / skill.name))


def test_there_are_sixty_hostile_skills_and_personas_of_many_kinds() -> None:
    skills = hostile_skills()
    assert len(skills) + len(hostile_personas()) >= 60
    assert len({skill.kind for skill in skills}) >= 15


@pytest.mark.parametrize("number", range(len(hostile_personas())))
def test_each_hostile_persona_is_refused(number: int) -> None:
    assert find_persona_faults(Persona(**hostile_personas()[number]), {}) != []


def test_at_most_two_of_forty_harmless_skills_are_refused(tmp_path: Path) -> None:
    samples = read_samples("harmless_a.txt", "harmless_b.txt")
    refused = {name for name, files in samples.items() if is_refused(write_skill(tmp_path / name, files))}
    assert len(samples) == 40
    assert refused == {"api-client", "security-review"}, "one sends a key, one quotes an attack"


@settings(max_examples=100)
@given(
    st.dictionaries(st.text("abc/", min_size=1, max_size=4), st.binary(max_size=8), min_size=1, max_size=4)
)
def test_the_hash_depends_on_every_name_and_byte_and_on_no_order(contents: dict[str, bytes]) -> None:
    files = [PackageFile(path=path, content=content) for path, content in contents.items()]
    assert digest_of(files) == digest_of(files[::-1])
    first, *others = files
    for changed in (
        PackageFile(path=first.path, content=first.content + b"x"),
        PackageFile(path=f"{first.path}x", content=first.content),
    ):
        assert digest_of([changed, *others]) != digest_of(files)
    assert digest_of(others) != digest_of(files)


@pytest.mark.parametrize(
    "source",
    [
        "https://user:secret@example.com/a.git@" + "a" * 40,
        "https://example.com/a.git@main",
        "https://example.com/a.git",
        "https://example.com/a.git@" + "a" * 39,
        "https://example.com/a.git@" + "a" * 40 + "#../b",
        "-u://x@" + "a" * 40,
    ],
)
def test_only_a_pinned_commit_without_a_password_is_a_source(source: str) -> None:
    with pytest.raises(InvalidInput):
        parse_commit_source(source)


def test_a_scanner_s_levels_decide_and_an_unknown_one_refuses() -> None:
    found = findings_of_scanner({"issues": [{"severity": "HIGH"}, {"severity": "low"}, {"level": "odd"}, {}]})
    assert found is not None
    assert [finding.level for finding in found] == ["flag", "note", "flag", "flag"]
    assert findings_of_scanner({"verdict": "fine"}) is None

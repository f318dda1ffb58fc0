"""What is found before something is saved."""

from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.admission.dry_run import (
    PreflightFinding,
    Severity,
    check_before_saving,
    check_size,
    check_tokens,
    refuse_errors,
)

CALLER = Caller(name="writer", scopes=("shared", "mission:one"))
TEXT = "The nightly backup of the primary cluster is copied to cold storage by the maintenance job every morning."


def observation(content=TEXT, **fields):
    return NewMemory(**{"kind": MemoryKind.OBSERVATION, "scope": "shared", "content": content} | fields)


async def codes(db, new, **options):
    async with db.transaction() as tx:
        return [finding.code for finding in await check_before_saving(tx, CALLER, new, **options)]


async def stored(db, new):
    async with db.transaction() as tx:
        return await save_memory(tx, new)


async def test_an_ordinary_new_memory_is_faultless(db):
    assert await codes(db, observation()) == []


async def test_the_same_memory_is_announced_but_not_refused(db):
    await stored(db, observation())
    assert await codes(db, observation()) == ["PF010"]
    async with db.transaction() as tx:
        refuse_errors(await check_before_saving(tx, CALLER, observation()))


@pytest.mark.parametrize(
    "change", [{"scope": "mission:one"}, {"agent_id": uuid4()}, {"kind": MemoryKind.DECISION}]
)
async def test_the_same_words_elsewhere_are_announced(db, change):
    await stored(db, observation(**change))
    assert await codes(db, observation()) == ["PF011"]


async def test_nearly_the_same_words_are_announced(db):
    there = await stored(db, observation())
    async with db.transaction() as tx:
        [finding] = await check_before_saving(
            tx, CALLER, observation(TEXT.replace("every morning", "daily, every morning"))
        )
    assert finding.code == "PF012"
    assert str(there) in finding.message
    assert await codes(db, observation("Something else that nobody said before.")) == []


async def test_scopes_of_others_are_not_looked_into(db):
    await stored(db, observation(scope="mission:two"))
    assert await codes(db, observation()) == []
    async with db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await check_before_saving(tx, CALLER, observation(scope="mission:two"))


async def test_fault_26_a_file_that_is_read_again_is_no_duplicate_of_itself(db):
    there = await stored(db, observation())
    assert await codes(db, observation(), renews=there) == []
    assert await codes(db, observation(f"{TEXT} Yes."), renews=there) == []


async def test_fault_17_a_text_is_compared_with_others_than_its_own_old_row(db):
    there = await stored(db, observation())
    other = await stored(db, observation(f"{TEXT} Quietly."))
    async with db.transaction() as tx:
        [finding] = await check_before_saving(tx, CALLER, observation(), renews=there)
    assert (finding.code, str(other) in finding.message) == ("PF012", True)


@pytest.mark.parametrize("kind", [MemoryKind.CONVERSATION, MemoryKind.PASSAGE])
async def test_what_may_repeat_is_no_duplicate(db, kind):
    await stored(db, observation(kind=kind))
    assert await codes(db, observation(kind=kind)) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ["PF030"]),
        ("   long enough  ", []),
        (" 123456789 ", ["PF030"]),
        ("x" * 100_000, []),
        ("x" * 100_001, ["PF031"]),
    ],
)
def test_a_memory_is_neither_a_word_nor_a_book(content, expected):
    assert [finding.code for finding in check_size(content)] == expected


@pytest.mark.parametrize(
    ("tokens", "expected"), [(6_400, []), (6_401, ["PF021"]), (8_000, ["PF021"]), (8_001, ["PF020"])]
)
def test_a_memory_can_be_given_back_within_a_budget(tokens, expected):
    assert [finding.code for finding in check_tokens(tokens)] == expected


async def test_anchors_and_tokens_are_judged_by_who_knows_them(db):
    broken = PreflightFinding(
        code="PF002", severity=Severity.ERROR, message="An anchor is not closed.", hint="Close it."
    )
    found = await codes(db, observation(), check_anchors=lambda _: [broken], count_tokens=lambda _: 7_000)
    assert found == ["PF002", "PF021"]


async def test_errors_refuse_and_say_all_that_is_wrong(db):
    async with db.transaction() as tx:
        findings = await check_before_saving(tx, CALLER, observation("short"), count_tokens=lambda _: 9_000)
    with pytest.raises(InvalidInput) as caught:
        refuse_errors(findings)
    assert caught.value.number == "E093"
    assert "PF020" in caught.value.message
    assert "PF030" in caught.value.message
    assert caught.value.hint or caught.value.advice or caught.value.facts

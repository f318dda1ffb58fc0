"""Lists as parameters arrive in PostgreSQL as they were given."""

import math

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.memory.types import MemoryKind

BIGINT = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)

thorough = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


async def arrived(db, cast, items):
    async with db.transaction() as tx:
        cursor = await tx.execute(f"select %(items)s::{cast} as items", {"items": items})
        return (await cursor.fetchone())["items"]


@thorough
@given(items=st.lists(BIGINT, max_size=30))
async def test_numbers(board, items):
    assert await arrived(board, "bigint[]", items) == items


@thorough
@given(items=st.lists(st.floats(), max_size=30))
async def test_floats_with_all_that_is_no_number(board, items):
    assert list(map(repr, await arrived(board, "float8[]", items))) == list(map(repr, items))


@thorough
@given(
    items=st.lists(
        TEXT | st.sampled_from(["", "null", "NULL", "{}", "\\", '"', "a,b", " ", "\n", "'"]), max_size=30
    )
)
async def test_text_with_all_that_means_something_in_an_array(board, items):
    assert await arrived(board, "text[]", items) == items


@pytest.mark.parametrize(
    ("cast", "items"),
    [
        ("text[]", list(MemoryKind)),
        ("text[]", ["said", None]),
        ("bigint[]", [1, None, 3]),
        ("bool[]", [True, False]),
        ("bytea[]", [b"\0\\", b'"']),
        ("bigint[]", [[1, 2], [3, 4]]),
        ("text[]", []),
        ("float8[]", [1.5, math.inf]),
    ],
)
async def test_what_else_is_given(board, cast, items):
    assert await arrived(board, cast, items) == items


@pytest.mark.parametrize("items", [["a\0b"], ["fine", "\0"], [MemoryKind.TASK, "\0"]])
async def test_what_postgresql_cannot_keep_is_refused_and_not_cut_off(board, items):
    with pytest.raises(psycopg.DataError):
        await arrived(board, "text[]", items)


async def test_a_statement_has_one_plan_for_small_and_large_numbers(board):
    statement = "select %(items)s::bigint[] as small_and_large"
    async with board.transaction() as tx:
        for _ in range(8):
            for items in ([1], [2**40], []):
                await tx.execute(statement, {"items": items})
        cursor = await tx.execute(
            "select count(*) as plans from pg_prepared_statements where statement like '%%small_and_large'"
        )
        assert (await cursor.fetchone())["plans"] == 1

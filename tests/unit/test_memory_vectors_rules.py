"""The rules behind the stores of vectors: what is sent, under which key, and when the index is asked."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from frasier.kernel.errors import ConfigurationError, InvalidInput
from frasier.memory import MemoryKind
from frasier.memory.vectors.halfvec import Halfvec, unit_vector
from frasier.memory.vectors.keys import scope_key, scope_keys
from frasier.memory.vectors.nearest import Extent, index_is_less_work
from frasier.memory.vectors.qdrant import point_id
from frasier.memory.vectors.qdrant_factory import open_qdrant
from frasier.memory.vectors.types import SpaceRef

SPACE = SpaceRef(id=1, dimension=6)
any_vector = arrays.arrays(np.float32, 6, elements=st.floats(width=32, allow_nan=False, allow_infinity=False))
kinds = st.sampled_from(MemoryKind)
scopes = st.from_regex(r"[a-z][a-z0-9_-]{0,5}(:[a-z0-9]{1,5})?", fullmatch=True)


@settings(deadline=None)
@given(any_vector)
def test_every_vector_with_a_direction_fits_into_half_precision(vector):
    if not vector.any():
        with pytest.raises(InvalidInput):
            unit_vector(SPACE, vector)
        return
    unit = unit_vector(SPACE, vector)
    sent = Halfvec.of(unit)
    assert sent[:4] == b"\0\6\0\0"
    stored = np.frombuffer(sent[4:], ">f2").astype(np.float64)
    assert np.linalg.norm(stored) == pytest.approx(1, abs=2e-3)
    wide = vector.astype(np.float64)
    assert stored @ wide / np.linalg.norm(wide) == pytest.approx(1, abs=2e-3)


@settings(deadline=None)
@given(scopes, scopes, kinds, kinds)
def test_a_key_belongs_to_one_scope_and_kind(scope, other_scope, kind, other_kind):
    same = (scope, kind) == (other_scope, other_kind)
    assert (scope_key(scope, kind) == scope_key(other_scope, other_kind)) is same
    assert -(2**63) <= scope_key(scope, kind) < 2**63


@settings(deadline=None)
@given(st.lists(scopes, max_size=5), st.lists(kinds, max_size=5))
def test_the_keys_are_those_of_every_scope_with_every_kind_once(asked_scopes, asked_kinds):
    keys = scope_keys(asked_scopes, asked_kinds)
    assert keys == sorted({scope_key(scope, kind) for scope in asked_scopes for kind in asked_kinds})


@pytest.mark.parametrize(
    ("held", "indexed", "less_work"),
    [
        (10_000, None, False),  # there is no index
        (20_001, None, False),
        (3_000, 3_000, False),  # few enough to compare them all
        (10_000, 10_000, True),
        (10_000, 100_000, False),  # the index would pass over nine of ten
        (20_001, 1_000_000, True),  # counted no further: it may be all of them
        (0, 1_000_000, False),
    ],
)
def test_the_index_is_asked_where_comparing_all_is_more_work(held, indexed, less_work):
    assert index_is_less_work(Extent(held=held, indexed=indexed), fetch=100) is less_work


@settings(deadline=None)
@given(st.integers(1, 20_000), st.integers(1, 2_000_000), st.integers(1, 2_000), st.integers(0, 2_000_000))
def test_a_larger_share_of_the_space_never_speaks_against_the_index(held, indexed, fetch, more):
    if index_is_less_work(Extent(held=held, indexed=indexed + more), fetch):
        assert index_is_less_work(Extent(held=held, indexed=indexed), fetch)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 2**40), st.integers(0, 32_767)), unique=True))
def test_every_part_of_every_memory_is_a_point_of_its_own(parts):
    points = {point_id(num, part) for num, part in parts}
    assert len(points) == len(parts)
    assert all(0 < point < 2**64 for point in points)


def test_a_missing_library_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    for name in ("qdrant", "qdrant_errors"):
        monkeypatch.delitem(sys.modules, f"frasier.memory.vectors.{name}", raising=False)
    with pytest.raises(ConfigurationError) as missing:
        open_qdrant("http://127.0.0.1:6333")
    assert "pip install 'frasier[qdrant]'" in missing.value.hint

"""Late interaction against the same thing written slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.memory.recall.late_interaction import STATE_WIDTH, QueryTokens, Window, late_scores


def states(generator, tokens):
    return generator.integers(-127, 128, (tokens, STATE_WIDTH)).astype(np.int8)


def query_of(generator, tokens, own=None):
    found = generator.standard_normal((tokens, STATE_WIDTH)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    weights = generator.uniform(0.1, 3, tokens).astype(np.float32)
    return QueryTokens(states=found, weights=weights, own=np.array(own or [False] * tokens))


def slowly(query, held, beside, window):
    """For each memory the weighted mean of the best cosines, token by token."""

    def best(num, at):
        rows = np.concatenate([np.frombuffer(part, np.int8).reshape(-1, STATE_WIDTH) for part in held[num]])
        rows = rows.astype(np.float64)
        return max(float(row @ query.states[at] / np.linalg.norm(row)) for row in rows)

    scores = {}
    for num in held:
        total = 0.0
        for at in range(len(query.weights)):
            met = best(num, at)
            if not query.own[at]:
                for other, distance in beside.get(num, {}).items():
                    if other in held and distance <= window.reach:
                        met = max(met, window.decay**distance * best(other, at))
            total += float(query.weights[at]) * met
        scores[num] = total / float(query.weights.sum())
    return scores


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 5))
def test_it_is_the_weighted_mean_of_the_best_matches_here_and_around(seed, memories, tokens):
    generator = np.random.default_rng(seed)
    held = {
        num: [
            states(generator, int(generator.integers(1, 4))).tobytes()
            for _ in range(generator.integers(1, 3))
        ]
        for num in range(memories)
    }
    beside = {
        num: {other: abs(other - num) for other in range(memories) if other != num}
        for num in range(0, memories, 2)
    }
    query = query_of(generator, tokens, own=[bool(generator.integers(2)) for _ in range(tokens)])
    window = Window(reach=2, decay=0.8)
    assert late_scores(query, held, beside, window=window) == pytest.approx(
        slowly(query, held, beside, window), abs=1e-4
    )


def test_the_same_tokens_give_one_and_a_memory_without_states_is_left_out():
    generator = np.random.default_rng(1)
    rows = states(generator, 3)
    normal = rows.astype(np.float32) / np.linalg.norm(rows.astype(np.float32), axis=1, keepdims=True)
    query = QueryTokens(states=normal, weights=np.ones(3, np.float32), own=np.zeros(3, bool))
    scores = late_scores(query, {1: [rows.tobytes()], 2: [b""]}, {})
    assert scores == {1: pytest.approx(1.0, abs=1e-5)}


def test_nothing_to_compare_is_no_error():
    assert late_scores(query_of(np.random.default_rng(1), 2), {}, {}) == {}

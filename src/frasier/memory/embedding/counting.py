"""How many tokens a text has: counted with the encoder's own tokenizer, not estimated."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.memory.embedding.weights import find_files

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_REMEMBERED = 4_096


class TokenCounter:
    """Counts and cuts by wordpieces. The tokenizer is loaded at the first use, the model never.

    Any thread may use it. Raises ProviderRejected (E052) where the tokenizer is missing or not the known one.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._loaded: Tokenizer | None = None
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def count(self, text: str) -> int:
        """How many wordpieces `text` has; what is remembered costs only a hash of the text."""
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
        """The beginning of `text` that has `tokens` wordpieces, or all of it where it has no more."""
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
    """The tokenizer of the files in `directory` or of the packages; it neither cuts off nor fills up."""
    from tokenizers import Tokenizer  # a native library, loaded when it is needed

    files = find_files(directory)
    files.check_tokenizer()
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five characters of that text
    return tokenizer


def read(tokenizer: Tokenizer, text: str) -> Encoding:
    """The wordpieces of `text` without the marks around it; half a surrogate pair counts as a question mark."""
    try:
        return tokenizer.encode(text, add_special_tokens=False)
    except TypeError:
        whole = text.encode("utf-8", "replace").decode()
        return tokenizer.encode(whole, add_special_tokens=False)


@cache
def _counter() -> TokenCounter:
    return TokenCounter()


def count_tokens(text: str) -> int:
    """How many tokens the product takes `text` for: wordpieces of the local encoder, whatever provider is set."""
    return _counter().count(text)

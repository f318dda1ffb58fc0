"""The local encoder: a small model on this machine, loaded at the first use and released when idle."""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from frasier.memory.embedding.model_files import DIMENSION, MODEL_SHA256, find_files
from frasier.memory.embedding.types import EncodedPart, EncodedQuery, ModelIdentity, TextToEncode

if TYPE_CHECKING:
    from frasier.memory.embedding.local_inference import Engine

_T = TypeVar("_T")

_QUERIES_REMEMBERED = 1_000
_KNOWN = MODEL_SHA256[:12]


class LocalEncoder:
    """An EmbeddingProvider that makes no network call.

    `model_path` is a folder with model.onnx and tokenizer.json; without one the packaged MiniLM is used. One batch of
    documents runs at a time, queries beside it. `clock` is monotonic and in seconds. Raises ProviderRejected
    (E052) if the model cannot be loaded, BadReply if it fails at a text.
    """

    def __init__(
        self,
        *,
        model_path: Path | None = None,
        threads: int = 2,
        idle_s: float = 300.0,
        projection: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model_path = model_path
        self._threads = threads
        self._idle_s = idle_s
        self._projection = projection
        self._clock = clock
        self._identity: ModelIdentity | None = None
        self._guard = threading.Lock()
        # One thread each: every further thread would hold a heap of its own.
        self._bulk = ThreadPoolExecutor(1, "encode")
        self._single = ThreadPoolExecutor(1, "encode-query")
        self._engine: Engine | None = None
        self._users = 0
        self._used_at = 0.0
        self._queries: OrderedDict[str, EncodedQuery] = OrderedDict()

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._engine is not None

    async def identity(self) -> ModelIdentity:
        """Identify the model by the hash of its files; only an unknown one is loaded, for its dimension."""
        if self._identity is None:
            self._identity = await self._in(self._single, self._identify)
        return self._identity

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        return await self._in(self._bulk, self._encode, documents)

    async def encode_query(self, text: str) -> EncodedQuery:
        if (known := self._queries.get(text)) is not None:
            self._queries.move_to_end(text)
            return known
        encoded = await self._in(self._single, self._encode_query, text)
        self._queries[text] = encoded
        if len(self._queries) > _QUERIES_REMEMBERED:
            self._queries.popitem(last=False)
        return encoded

    async def projection_bytes(self) -> bytes | None:
        """Return the packaged projection, or that of the model in the folder, computed at its first load."""
        return await self._in(self._bulk, self._projection_bytes)

    def use_projection(self, projection: bytes) -> None:
        """Set the projection and reload the model on next use; cached queries are dropped."""
        with self._guard:
            if projection != self._projection:
                self._projection = projection
                self._engine = None
                self._queries.clear()

    def release_if_idle(self) -> bool:
        """Release the model if it was not used for `idle_s` seconds; cached queries stay. Return whether it was."""
        if not self._guard.acquire(blocking=False):
            return False  # it is being loaded
        try:
            if self._engine is None or self._users or self._clock() - self._used_at < self._idle_s:
                return False
            self._engine = None
            _return_freed_memory()
            return True
        finally:
            self._guard.release()

    async def close(self) -> None:
        with self._guard:
            self._engine = None
        self._queries.clear()
        self._bulk.shutdown(wait=False, cancel_futures=True)
        self._single.shutdown(wait=False, cancel_futures=True)

    async def _in(self, pool: ThreadPoolExecutor, do: Callable[..., _T], *args: object) -> _T:
        return await asyncio.get_running_loop().run_in_executor(pool, do, *args)

    def _identify(self) -> ModelIdentity:
        fingerprint = find_files(self._model_path).fingerprint()
        if fingerprint == _KNOWN:
            model, dimension = f"all-MiniLM-L6-v2-int8:{fingerprint}", DIMENSION
        else:
            with self._using() as engine:
                model, dimension = f"onnx:{fingerprint}", engine.width
        return ModelIdentity(provider="local", model=model, dimension=dimension)

    def _encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        with self._using() as engine:
            return engine.encode(documents)

    def _encode_query(self, text: str) -> EncodedQuery:
        with self._using() as engine:
            return engine.encode_query(text)

    def _projection_bytes(self) -> bytes:
        from frasier.memory.embedding.projection import packaged_projection, to_bytes  # loads numpy

        if self._projection is not None:
            return self._projection
        if find_files(self._model_path).fingerprint() == _KNOWN:
            return to_bytes(packaged_projection())
        with self._using() as engine:
            return engine.projection_bytes()

    @contextmanager
    def _using(self) -> Iterator[Engine]:
        with self._guard:
            if self._engine is None:
                self._engine = self._load()
            engine = self._engine
            self._users += 1
        try:
            yield engine
        finally:
            with self._guard:
                self._users -= 1
                self._used_at = self._clock()

    def _load(self) -> Engine:
        from frasier.memory.embedding.local_inference import Engine  # slow

        engine = Engine(self._model_path, threads=self._threads, projection=self._projection)
        self._projection = engine.projection_bytes()
        return engine


def _return_freed_memory() -> None:
    """Call malloc_trim, if the C library has it: glibc keeps the freed memory of a native library until then."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

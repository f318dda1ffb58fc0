"""A cross-encoder from a local folder: reads query and text together, and returns one score."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frasier.kernel.errors import ConfigurationError

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

_TOKENS_MAX = 512


class CrossEncoder:
    """A reranker whose `folder` holds model.onnx (BERT's inputs, one logit per pair) and tokenizer.json.

    Loaded at the first use.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        self._folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, onnxruntime.InferenceSession] | None = None

    async def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the sigmoid of each pair's logit: 0 to 1, whatever range the model's logits have."""
        return await asyncio.to_thread(self._judge, query, list(texts))

    async def close(self) -> None:
        self._loaded = None

    def _judge(self, query: str, texts: list[str]) -> list[float]:
        import numpy as np

        if not texts:
            return []
        with self._lock:
            tokenizer, session = self._loaded or self._load()
            pairs = tokenizer.encode_batch([(query, text) for text in texts])
            tensors: dict[str, Any] = {
                "input_ids": np.array([pair.ids for pair in pairs], np.int64),
                "attention_mask": np.array([pair.attention_mask for pair in pairs], np.int64),
                "token_type_ids": np.array([pair.type_ids for pair in pairs], np.int64),
            }
            inputs = {node.name for node in session.get_inputs()}
            (logits, *_) = session.run(None, {name: tensors[name] for name in tensors if name in inputs})
        flat = np.asarray(logits, np.float64).reshape(len(texts), -1)[:, -1]
        return [float(verdict) for verdict in 1 / (1 + np.exp(-np.clip(flat, -50, 50)))]

    def _load(self) -> tuple[Tokenizer, onnxruntime.InferenceSession]:
        from tokenizers import Tokenizer

        from frasier.memory.embedding.onnx_runtime import onnxruntime

        model, words = self._folder / "model.onnx", self._folder / "tokenizer.json"
        if not model.is_file() or not words.is_file():
            raise ConfigurationError(
                f"{self._folder} contains no cross-encoder.",
                number="E052",
                hint="The folder needs model.onnx and tokenizer.json.",
            )
        tokenizer = Tokenizer.from_file(str(words))
        tokenizer.enable_truncation(_TOKENS_MAX, strategy="only_second")
        tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._loaded = tokenizer, session
        return self._loaded

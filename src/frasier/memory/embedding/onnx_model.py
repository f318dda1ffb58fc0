"""A transformer on onnxruntime: wordpieces in, one state per wordpiece out. Loading this module is slow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from frasier.kernel.errors import BadReply, ProviderRejected
from frasier.memory.embedding.model_files import find_files
from frasier.memory.embedding.onnx_runtime import onnxruntime
from frasier.memory.embedding.token_counts import load_tokenizer, read

States = NDArray[np.float32]
"""One row per wordpiece, each of length one."""

_ROWS_MAX = 32
# Attention needs memory quadratic in the length, so long rows are run in smaller batches.
_PIECES_MAX = 2_048
_TINY = 1e-12


class OnnxModel:
    """A tokenizer and a session. Threads may share it: the session runs calls concurrently.

    Raises ProviderRejected (E052) if a file is missing, not the known one, or not an encoder.
    """

    def __init__(self, directory: Path | None, *, threads: int) -> None:
        files = find_files(directory)
        self.sha256 = files.check()
        self.tokenizer = load_tokenizer(directory)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False  # the arena would keep the largest batch's memory for good
        try:
            self._session = onnxruntime.InferenceSession(
                str(files.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its errors have no common class
            raise _unusable(files.model, type(error).__name__) from error
        self._inputs = {node.name for node in self._session.get_inputs()}
        marks = self.tokenizer.encode("").ids
        if len(marks) != 2 or not {"input_ids", "attention_mask"} <= self._inputs:
            raise _unusable(files.model, "it does not take wordpieces between two special tokens")
        self._begin, self._end = marks
        self.width = self._probe(files.model)

    def read(self, text: str) -> Encoding:
        """Split `text` into wordpieces."""
        return read(self.tokenizer, text)

    def states(self, rows: Sequence[Sequence[int]], keep: Sequence[int] | None = None) -> list[States]:
        """Return the states of each row's wordpieces, or of its last `keep`; rows are run by length, 32 at a time."""
        result: list[States] = [np.empty((0, 0), np.float32)] * len(rows)
        for batch in _batches(rows):
            hidden = self._run([rows[at] for at in batch])
            for at, states in zip(batch, hidden, strict=True):
                end = len(rows[at]) + 1
                states_of_row = states[end - keep[at] if keep else 1 : end]
                norms = np.linalg.norm(states_of_row, axis=1, keepdims=True)
                result[at] = states_of_row / np.maximum(norms, _TINY)
        return result

    def _run(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        longest = max(map(len, rows)) + 2
        ids = np.zeros((len(rows), longest), np.int64)
        mask = np.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row) + 2] = [self._begin, *row, self._end]
            mask[at, : len(row) + 2] = 1
        tensors = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            hidden = self._session.run(None, {name: tensors[name] for name in self._inputs})[0]
        except Exception as error:  # its errors have no common class
            raise BadReply(
                f"The local encoder failed at a text: {type(error).__name__}.",
                provider="local",
                number="E001",
            ) from error
        if not np.isfinite(hidden).all():
            raise BadReply(
                "The local encoder returned states that are not finite.", provider="local", number="E001"
            )
        return np.asarray(hidden, np.float32)

    def _probe(self, model: Path) -> int:
        hidden = self._run([self.read("probe").ids])
        if hidden.ndim != 3:
            raise _unusable(model, "its first output is not one state per wordpiece")
        return int(hidden.shape[2])


def _batches(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield batches of row numbers, shortest rows first, so that little padding is needed."""
    batch: list[int] = []
    for at in sorted(range(len(rows)), key=lambda at: len(rows[at])):
        if batch and (len(batch) == _ROWS_MAX or (len(batch) + 1) * (len(rows[at]) + 2) > _PIECES_MAX):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _unusable(model: Path, why: str) -> ProviderRejected:
    return ProviderRejected(
        f"{model} cannot be used as an encoder: {why}.",
        provider="local",
        number="E052",
        hint="Name a folder with the ONNX export of a sentence encoder and its tokenizer.json.",
    )

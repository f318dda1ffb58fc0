"""Measurement of another store at one size, in its own process: `python memory_peer_program.py NAME FOLDER`.

It runs in the peer's own environment, so it imports nothing of Frasier. FOLDER contains texts.txt, vectors.npy,
questions.txt and question_vectors.npy; the peer stores its data below it, and the program prints one JSON object.
Each peer is used as its documentation describes, with its defaults, over one connection, with precomputed vectors.
"""

# ruff: noqa: PLC0415  each peer is installed in an environment of its own, where the others are not
from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOP = 10
_BATCH = 1_000
_POOL = 50
_RRF_K = 60
_WARM_UP = 20

Vectors = NDArray[np.float32]
Ask = Callable[[str, NDArray[np.float32]], list[int]]


class Chroma:
    """Chroma: a collection on disk with its HNSW index, cosine. It filters by words, but does not rank by them."""

    def __init__(self, folder: Path) -> None:
        import chromadb

        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings)
        self._memories = client.create_collection("memories", configuration={"hnsw": {"space": "cosine"}})
        self.methods: dict[str, Ask] = {"vector": self._vector}

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        ids = [str(start + position) for position in range(len(texts))]
        self._memories.add(ids=ids, embeddings=vectors, documents=texts)

    def finish(self) -> None:
        """Do nothing: the index is updated by each insert."""

    def _vector(self, _text: str, vector: NDArray[np.float32]) -> list[int]:
        hits = self._memories.query(query_embeddings=vector[None], n_results=TOP, include=["documents"])
        return [int(memory_id) for memory_id in hits["ids"][0]]


class Lance:
    """LanceDB: a table on disk with an IVF_HNSW_SQ index, cosine, and its full-text index; hybrid by its own RRF."""

    def __init__(self, folder: Path) -> None:
        import lancedb
        from lancedb.rerankers import RRFReranker

        self._database = lancedb.connect(str(folder / "lance"))
        self._reranker = RRFReranker()
        self._table: Any = None
        self.methods: dict[str, Ask] = {
            "vector": self._vector,
            "lexical": self._lexical,
            "hybrid": self._hybrid,
        }

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        import pyarrow as pa

        flat = pa.array(vectors.reshape(-1), pa.float32())
        rows = pa.table(
            {
                "id": pa.array(range(start, start + len(texts)), pa.int64()),
                "text": texts,
                "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
            }
        )
        if self._table is None:
            self._table = self._database.create_table("memories", rows)
        else:
            self._table.add(rows)

    def finish(self) -> None:
        self._table.create_fts_index("text", use_tantivy=False)
        self._table.create_index(metric="cosine", index_type="IVF_HNSW_SQ")
        self._table.optimize()

    def _vector(self, _text: str, vector: NDArray[np.float32]) -> list[int]:
        return _ids(self._table.search(vector).distance_type("cosine"))

    def _lexical(self, text: str, _vector: NDArray[np.float32]) -> list[int]:
        return _ids(self._table.search(text, query_type="fts"))

    def _hybrid(self, text: str, vector: NDArray[np.float32]) -> list[int]:
        return _ids(
            self._table.search(query_type="hybrid").vector(vector).text(text).rerank(reranker=self._reranker)
        )


class Sqlite:
    """SQLite: FTS5 with bm25(), and sqlite-vec, which compares every vector; RRF in Python; every commit durable."""

    def __init__(self, folder: Path) -> None:
        import apsw
        import sqlite_vec

        self._connection = apsw.Connection(str(folder / "memories.db"))
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())
        self._connection.execute("pragma journal_mode = wal; pragma synchronous = full")
        self._connection.execute(
            "create table memories (id integer primary key, text text not null);"
            "create virtual table words using fts5 (text, content = '', contentless_delete = 1);"
            "create virtual table vectors using vec0 (embedding float[384] distance_metric=cosine)"
        )
        self.methods: dict[str, Ask] = {
            "vector": lambda _, vector: self._nearest(vector, TOP),
            "lexical": lambda text, _: self._matching(text, TOP),
            "hybrid": self._hybrid,
        }

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        rows = range(start, start + len(texts))
        with self._connection:
            self._connection.executemany("insert into memories values (?, ?)", zip(rows, texts, strict=True))
            self._connection.executemany(
                "insert into words (rowid, text) values (?, ?)", zip(rows, texts, strict=True)
            )
            self._connection.executemany(
                "insert into vectors (rowid, embedding) values (?, ?)",
                zip(rows, (vector.tobytes() for vector in vectors), strict=True),
            )

    def finish(self) -> None:
        self._connection.execute("insert into words (words) values ('optimize')")

    def _nearest(self, vector: NDArray[np.float32], count: int) -> list[int]:
        rows = self._connection.execute(
            "select rowid from vectors where embedding match ? and k = ? order by distance",
            (vector.tobytes(), count),
        )
        return [row[0] for row in rows]

    def _matching(self, text: str, count: int) -> list[int]:
        expression = " OR ".join(f'"{word}"' for word in text.split())
        rows = self._connection.execute(
            "select rowid from words where words match ? order by rank limit ?", (expression, count)
        )
        return [row[0] for row in rows]

    def _hybrid(self, text: str, vector: NDArray[np.float32]) -> list[int]:
        scores: dict[int, float] = {}
        for ranking in (self._nearest(vector, _POOL), self._matching(text, _POOL)):
            for rank, memory_id in enumerate(ranking, start=1):
                scores[memory_id] = scores.get(memory_id, 0.0) + 1 / (_RRF_K + rank)
        best = sorted(scores, key=lambda memory_id: -scores[memory_id])[:TOP]
        marks = ", ".join("?" * len(best))
        self._connection.execute(f"select id, text from memories where id in ({marks})", best).fetchall()
        return best


class Mem0:
    """Mem0: Memory.add without inferred facts, in its default store: a local Qdrant, which compares every vector."""

    def __init__(self, folder: Path) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "MEM0_DIR": str(folder / "mem0")}
        from mem0 import Memory

        store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": 384}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = self
        self._vectors_by_text: dict[str, list[float]] = {}
        self._positions: dict[str, int] = {}
        self.methods: dict[str, Ask] = {"its own search": self._search}

    def embed(self, text: str, *_: object) -> list[float]:
        """Return the precomputed vector, in place of an embedding model."""
        return self._vectors_by_text[text]

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        for position, (text, vector) in enumerate(zip(texts, vectors.tolist(), strict=True), start=start):
            self._vectors_by_text = {text: vector}
            added = self._memory.add(text, user_id="bench", infer=False)
            self._positions[added["results"][0]["id"]] = position

    def finish(self) -> None:
        """Do nothing: there is no index to build."""

    def _search(self, text: str, vector: NDArray[np.float32]) -> list[int]:
        self._vectors_by_text = {text: vector.tolist()}
        response = self._memory.search(text, filters={"user_id": "bench"}, top_k=TOP, threshold=0.0)
        return [self._positions[hit["id"]] for hit in response["results"]]


def _ids(query: Any) -> list[int]:
    return query.select(["id", "text"]).limit(TOP).to_arrow()["id"].to_pylist()


PEERS: dict[str, Callable[[Path], Any]] = {
    "chromadb": Chroma,
    "lancedb": Lance,
    "sqlite": Sqlite,
    "mem0ai": Mem0,
}


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    texts = (folder / "texts.txt").read_text("utf-8").splitlines()
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    questions = (folder / "questions.txt").read_text("utf-8").splitlines()
    question_vectors = np.load(folder / "question_vectors.npy")
    started = time.perf_counter()
    peer = PEERS[name](folder)
    for start in range(0, len(texts), _BATCH):
        peer.add(start, texts[start : start + _BATCH], np.ascontiguousarray(vectors[start : start + _BATCH]))
    peer.finish()
    report: dict[str, Any] = {"insert_s": time.perf_counter() - started, "ways": {}}
    for method, ask in peer.methods.items():
        durations_ms, results = [], []
        for text, vector in [*zip(questions, question_vectors, strict=True)][:_WARM_UP]:
            ask(text, vector)
        for text, vector in zip(questions, question_vectors, strict=True):
            asked_at = time.perf_counter()
            results.append(ask(text, vector))
            durations_ms.append((time.perf_counter() - asked_at) * 1000)
        report["ways"][method] = {"took_ms": durations_ms, "found": results}
    print(json.dumps(report))


if __name__ == "__main__":
    main()

"""Measurement of one other store at one size, in its own process: `python memory_peer_program.py NAME FOLDER`.

It runs in the peers' own environment, so nothing of Frasier is imported here. FOLDER holds texts.txt, vectors.npy,
questions.txt and question_vectors.npy; what the peer stores goes below it, and one JSON object to standard output.
Each peer is used as its documentation says, with its defaults, over one connection, with vectors given.
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
    """A collection on disk with its HNSW index, cosine. It filters by words, but does not rank by them."""

    def __init__(self, folder: Path) -> None:
        import chromadb

        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings)
        self._memories = client.create_collection("memories", configuration={"hnsw": {"space": "cosine"}})
        self.ways: dict[str, Ask] = {"vector": self._vector}

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        ids = [str(start + place) for place in range(len(texts))]
        self._memories.add(ids=ids, embeddings=vectors, documents=texts)

    def finish(self) -> None:
        """Its index grows with what is added."""

    def _vector(self, _text: str, vector: NDArray[np.float32]) -> list[int]:
        found = self._memories.query(query_embeddings=vector[None], n_results=TOP, include=["documents"])
        return [int(memory_id) for memory_id in found["ids"][0]]


class Lance:
    """A table on disk with an IVF_HNSW_SQ index, cosine, and its full text index; hybrid by its own RRF."""

    def __init__(self, folder: Path) -> None:
        import lancedb
        from lancedb.rerankers import RRFReranker

        self._database = lancedb.connect(str(folder / "lance"))
        self._reranker = RRFReranker()
        self._table: Any = None
        self.ways: dict[str, Ask] = {
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
    """FTS5 with bm25() and sqlite-vec, which compares every vector; fused by RRF in Python. Every commit durable."""

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
        self.ways: dict[str, Ask] = {
            "vector": lambda _, vector: self._near(vector, TOP),
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

    def _near(self, vector: NDArray[np.float32], count: int) -> list[int]:
        rows = self._connection.execute(
            "select rowid from vectors where embedding match ? and k = ? order by distance",
            (vector.tobytes(), count),
        )
        return [row[0] for row in rows]

    def _matching(self, text: str, count: int) -> list[int]:
        asked = " OR ".join(f'"{word}"' for word in text.split())
        rows = self._connection.execute(
            "select rowid from words where words match ? order by rank limit ?", (asked, count)
        )
        return [row[0] for row in rows]

    def _hybrid(self, text: str, vector: NDArray[np.float32]) -> list[int]:
        scores: dict[int, float] = {}
        for ranking in (self._near(vector, _POOL), self._matching(text, _POOL)):
            for rank, memory_id in enumerate(ranking, start=1):
                scores[memory_id] = scores.get(memory_id, 0.0) + 1 / (_RRF_K + rank)
        best = sorted(scores, key=lambda memory_id: -scores[memory_id])[:TOP]
        marks = ", ".join("?" * len(best))
        self._connection.execute(f"select id, text from memories where id in ({marks})", best).fetchall()
        return best


class Mem0:
    """Memory.add without a model that infers facts, in its default store: a local Qdrant, which compares all."""

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
        self._given: dict[str, list[float]] = {}
        self._places: dict[str, int] = {}
        self.ways: dict[str, Ask] = {"its own search": self._search}

    def embed(self, text: str, *_: object) -> list[float]:
        """In the place of an embedding model: the vector that was given."""
        return self._given[text]

    def add(self, start: int, texts: list[str], vectors: Vectors) -> None:
        for place, (text, vector) in enumerate(zip(texts, vectors.tolist(), strict=True), start=start):
            self._given = {text: vector}
            made = self._memory.add(text, user_id="bench", infer=False)
            self._places[made["results"][0]["id"]] = place

    def finish(self) -> None:
        """Nothing is built."""

    def _search(self, text: str, vector: NDArray[np.float32]) -> list[int]:
        self._given = {text: vector.tolist()}
        found = self._memory.search(text, filters={"user_id": "bench"}, top_k=TOP, threshold=0.0)
        return [self._places[hit["id"]] for hit in found["results"]]


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
    asked = np.load(folder / "question_vectors.npy")
    started = time.perf_counter()
    peer = PEERS[name](folder)
    for start in range(0, len(texts), _BATCH):
        peer.add(start, texts[start : start + _BATCH], np.ascontiguousarray(vectors[start : start + _BATCH]))
    peer.finish()
    told: dict[str, Any] = {"insert_s": time.perf_counter() - started, "ways": {}}
    for way, ask in peer.ways.items():
        took, found = [], []
        for text, vector in [*zip(questions, asked, strict=True)][:_WARM_UP]:
            ask(text, vector)
        for text, vector in zip(questions, asked, strict=True):
            began = time.perf_counter()
            found.append(ask(text, vector))
            took.append((time.perf_counter() - began) * 1000)
        told["ways"][way] = {"took_ms": took, "found": found}
    print(json.dumps(told))


if __name__ == "__main__":
    main()

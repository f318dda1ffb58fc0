"""Measurements of other stores with the same texts, vectors and questions, each in its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.figures import Figure, p50, p95
from bench.memory_corpus import Corpus, Questions, exact_nearest
from bench.memory_recall import overlap
from bench.workspace import Workspace

# The packages of each peer, pinned to the versions that were current when this was written.
PEERS = {
    "chromadb": ("chromadb==1.5.9",),
    "lancedb": ("lancedb==0.40.0",),
    "sqlite": ("apsw==3.54.1.0", "sqlite-vec==0.1.9"),
    "mem0ai": ("mem0ai==2.2.1",),
}
_SMALL_ONLY = {"mem0ai": 10_000}
"""The largest size of peers that save one memory at a time: beyond, a run would take a quarter of an hour."""

_PROGRAM = Path(__file__).parent / "memory_peer_program.py"
_INSTALL_S_MAX, _RUN_S_MAX = 900.0, 1800.0
_TOP = 10


def measure_peers(workspace: Workspace, size: int, question_count: int) -> list[Figure]:
    """Measure insert throughput, latency of each search method, and recall of the exact ten by vector."""
    corpus = Corpus(size)
    questions = corpus.questions(question_count, seed=2)
    exact = exact_nearest(corpus, questions.vectors, _TOP)
    figures: list[Figure] = []
    for peer, packages in PEERS.items():
        if size > _SMALL_ONLY.get(peer, size):
            continue
        try:
            python = _peer_python(peer, packages)
        except subprocess.SubprocessError as error:
            print(f"{peer} cannot be installed, so it is not run: {_last_line(error)}", file=sys.stderr)
            continue
        with _peer_input(workspace, corpus, questions) as folder:
            process = subprocess.run(
                [python, _PROGRAM, peer, folder],
                env={**workspace.environment, "HOME": str(folder)},
                check=False,
                capture_output=True,
                text=True,
                timeout=_RUN_S_MAX,
            )
        if process.returncode != 0:
            print(f"{peer} failed at {size:,} memories: {process.stderr[-800:]}", file=sys.stderr)
            continue
        figures += _figures(
            f"{' + '.join(packages)}", size, json.loads(process.stdout.splitlines()[-1]), exact
        )
    return figures


def _figures(name: str, size: int, result: dict[str, Any], exact: list[set[int]]) -> list[Figure]:
    name = name.replace("==", " ")
    figures = [
        Figure(
            what=f"{name}: memories inserted a second, {size:,} in all",
            value=size / result["insert_s"],
            unit="/s",
            detail="with its indexes made",
        )
    ]
    for method, measured in result["ways"].items():
        found = [set(ids) for ids in measured["found"]]
        share = f"; {overlap(found, exact):.3f} of the exact ten" if method == "vector" else ""
        figures.append(
            Figure(
                what=f"{name}: ten by {method} at {size:,}, p95",
                value=p95(measured["took_ms"]),
                unit="ms",
                detail=f"p50 {p50(measured['took_ms']):.1f} ms, n = {len(found)}{share}",
            )
        )
    return figures


@contextmanager
def _peer_input(workspace: Workspace, corpus: Corpus, questions: Questions) -> Iterator[Path]:
    """Write the corpus and the questions into a folder for the peer program."""
    with workspace.folder("peer") as folder:
        vectors = np.lib.format.open_memmap(
            folder / "vectors.npy", "w+", np.float32, (corpus.size, questions.vectors.shape[1])
        )
        with (folder / "texts.txt").open("w", encoding="utf-8") as texts:
            for chunk in corpus.chunks():
                vectors[chunk.start : chunk.start + len(chunk)] = chunk.vectors
                texts.writelines(f"{corpus.text(words)}\n" for words in chunk.words)
        vectors.flush()
        (folder / "questions.txt").write_text("\n".join(questions.texts), "utf-8")
        np.save(folder / "question_vectors.npy", questions.vectors)
        yield folder


def _peer_python(peer: str, packages: tuple[str, ...]) -> Path:
    """Return the Python of an environment with just these packages, made once in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "frasier-bench" / f"{peer}-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin" / "python"
    installed = folder / "installed.txt"
    requirements = "\n".join(packages)
    if installed.exists() and installed.read_text("utf-8") == requirements:
        return python
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    for command in ((sys.executable, "-m", "venv", "--clear", str(folder)), (*pip, "numpy", *packages)):
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_INSTALL_S_MAX)
    installed.write_text(requirements, "utf-8")
    return python


def _last_line(error: subprocess.SubprocessError) -> str:
    output = getattr(error, "stderr", None) or str(error)
    return output.strip().splitlines()[-1]

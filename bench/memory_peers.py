"""Other stores for memories, on the same texts, vectors and questions, in an environment of their own."""

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

# What is installed for each peer. Versions are those that were there when this was written.
PEERS = {
    "chromadb": ("chromadb==1.5.9",),
    "lancedb": ("lancedb==0.40.0",),
    "sqlite": ("apsw==3.54.1.0", "sqlite-vec==0.1.9"),
    "mem0ai": ("mem0ai==2.2.1",),
}
_SMALL_ONLY = {"mem0ai": 10_000}
"""It saves one memory at a time and compares all: beyond, a run would take a quarter of an hour."""

_PROGRAM = Path(__file__).parent / "memory_peer_program.py"
_INSTALL_S_MAX, _RUN_S_MAX = 900.0, 1800.0
_TOP = 10


def measure_peers(workspace: Workspace, size: int, questions: int) -> list[Figure]:
    """Insert throughput, latency of each way of asking, and how many of the exact ten its vectors find."""
    corpus = Corpus(size)
    asked = corpus.questions(questions, seed=2)
    exact = exact_nearest(corpus, asked.vectors, _TOP)
    figures: list[Figure] = []
    for peer, packages in PEERS.items():
        if size > _SMALL_ONLY.get(peer, size):
            continue
        try:
            python = _environment(peer, packages)
        except subprocess.SubprocessError as error:
            print(f"{peer} cannot be installed, so it is not run: {_last_line(error)}", file=sys.stderr)
            continue
        with _given(workspace, corpus, asked) as folder:
            ended = subprocess.run(
                [python, _PROGRAM, peer, folder],
                env={**workspace.environment, "HOME": str(folder)},
                check=False,
                capture_output=True,
                text=True,
                timeout=_RUN_S_MAX,
            )
        if ended.returncode != 0:
            print(f"{peer} failed at {size:,} memories: {ended.stderr[-800:]}", file=sys.stderr)
            continue
        figures += _figures(f"{' + '.join(packages)}", size, json.loads(ended.stdout.splitlines()[-1]), exact)
    return figures


def _figures(name: str, size: int, told: dict[str, Any], exact: list[set[int]]) -> list[Figure]:
    name = name.replace("==", " ")
    figures = [
        Figure(
            what=f"{name}: memories inserted a second, {size:,} in all",
            value=size / told["insert_s"],
            unit="/s",
            detail="with its indexes made",
        )
    ]
    for way, result in told["ways"].items():
        found = [set(ids) for ids in result["found"]]
        share = f"; {overlap(found, exact):.3f} of the exact ten" if way == "vector" else ""
        figures.append(
            Figure(
                what=f"{name}: ten by {way} at {size:,}, p95",
                value=p95(result["took_ms"]),
                unit="ms",
                detail=f"p50 {p50(result['took_ms']):.1f} ms, n = {len(found)}{share}",
            )
        )
    return figures


@contextmanager
def _given(workspace: Workspace, corpus: Corpus, asked: Questions) -> Iterator[Path]:
    """A folder with the corpus and the questions, as the peers' program reads them."""
    with workspace.folder("peer") as folder:
        vectors = np.lib.format.open_memmap(
            folder / "vectors.npy", "w+", np.float32, (corpus.size, asked.vectors.shape[1])
        )
        with (folder / "texts.txt").open("w", encoding="utf-8") as texts:
            for stretch in corpus.stretches():
                vectors[stretch.start : stretch.start + len(stretch)] = stretch.vectors
                texts.writelines(f"{corpus.text(words)}\n" for words in stretch.words)
        vectors.flush()
        (folder / "questions.txt").write_text("\n".join(asked.texts), "utf-8")
        np.save(folder / "question_vectors.npy", asked.vectors)
        yield folder


def _environment(peer: str, packages: tuple[str, ...]) -> Path:
    """The Python of an environment that has just these packages; made once, and kept in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "frasier-bench" / f"{peer}-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin" / "python"
    installed = folder / "installed.txt"
    wanted = "\n".join(packages)
    if installed.exists() and installed.read_text("utf-8") == wanted:
        return python
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    for command in ((sys.executable, "-m", "venv", "--clear", str(folder)), (*pip, "numpy", *packages)):
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_INSTALL_S_MAX)
    installed.write_text(wanted, "utf-8")
    return python


def _last_line(error: subprocess.SubprocessError) -> str:
    said = getattr(error, "stderr", None) or str(error)
    return said.strip().splitlines()[-1]

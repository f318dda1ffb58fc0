"""The memory engine at each size: speed of recall, answers and saves, beside other stores."""

from __future__ import annotations

import asyncio

from bench.figures import Figure
from bench.memory_dataset import loaded
from bench.memory_peers import measure_peers
from bench.memory_recall import measure_arms, measure_recall, measure_retrieval
from bench.memory_save import measure_bulk_save, measure_save
from bench.memory_scoring import measure_scoring
from bench.sizes import Sizes
from bench.workspace import Urls, Workspace


def measure_engine(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    figures = measure_scoring()
    for size in sizes.memories:
        with workspace.database() as urls:
            figures += asyncio.run(_at(urls, size, sizes))
        if sizes.peers:
            figures += measure_peers(workspace, size, sizes.questions)
    return figures


async def _at(urls: Urls, size: int, sizes: Sizes) -> list[Figure]:
    async with loaded(urls, size, questions=sizes.questions) as memory:
        return [
            *await measure_retrieval(memory),
            *await measure_arms(memory),
            *await measure_recall(memory),
            *await measure_save(memory, sizes.saves),
            *await measure_bulk_save(memory, sizes.saves * 10),
        ]

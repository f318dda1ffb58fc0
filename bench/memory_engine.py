"""Measurements of the memory engine at each size: recall, ranking and saves, beside other stores."""

from __future__ import annotations

import asyncio

from bench.figures import Figure
from bench.memory_dataset import open_dataset
from bench.memory_peers import measure_peers
from bench.memory_recall import measure_arms, measure_recall, measure_retrieval
from bench.memory_save import measure_bulk_save, measure_save
from bench.memory_scoring import measure_scoring
from bench.sizes import Sizes
from bench.workspace import Urls, Workspace


def measure_engine(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure the memory engine at each size, and other stores if wanted."""
    figures = measure_scoring()
    for size in sizes.memories:
        with workspace.database() as urls:
            figures += asyncio.run(_measure_size(urls, size, sizes))
        if sizes.peers:
            figures += measure_peers(workspace, size, sizes.questions)
    return figures


async def _measure_size(urls: Urls, size: int, sizes: Sizes) -> list[Figure]:
    async with open_dataset(urls, size, questions=sizes.questions) as dataset:
        return [
            *await measure_retrieval(dataset),
            *await measure_arms(dataset),
            *await measure_recall(dataset),
            *await measure_save(dataset, sizes.saves),
            *await measure_bulk_save(dataset, sizes.saves * 10),
        ]

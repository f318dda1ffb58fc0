"""The founder's page over a thousand missions and a million events: first paint, changes, streams and memory."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from bench.figures import Figure, at_most, p50, p95
from bench.memory_use import memory_of, run_idle
from bench.page_browser import (
    browser_at,
    find_chromium,
    first_paints,
    ms_until_shown,
    open_now,
    streams_of_tabs,
)
from bench.page_dataset import PageDataset
from bench.page_server import PageServer, fill, free_port, log_in, served_home, serving, wait_until_served
from bench.page_stream import PageStream, ms_until_sent, open_stream_of
from bench.sizes import Sizes
from bench.workspace import Workspace

_TABS, _STREAMS, _AT_ONCE = 12, 100, 200
_APART_S = 0.25
_WITHOUT_BROWSER = (
    "Chromium or playwright is not installed, so without a browser: to the last byte of the page"
)


@dataclass(frozen=True, slots=True)
class _Home:
    """The addresses of the pages that are served, and the number of rows."""

    addresses: tuple[str, ...]
    dataset: PageDataset

    @property
    def detail(self) -> str:
        rows = self.dataset
        return f"{rows.missions:,} missions, {rows.tasks:,} tasks, {rows.events:,} events"


def measure_page(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    with workspace.database() as urls, served_home(workspace, urls) as environment:
        mission, dataset = fill(environment, urls, sizes)
        home = _Home(_addresses(mission), dataset)

        async def measure() -> list[Figure]:
            figures = []
            async with serving(environment, urls) as server:
                figures += await _measure_loading(server, home, sizes)
                figures += await _measure_arrivals(server, home, sizes)
                figures += await _measure_streams(server)
            async with serving(environment, urls) as server:
                figures.append(await _measure_day(server, home, sizes))
            return figures

        figures = asyncio.run(measure())
    return [*figures, _measure_added(workspace, sizes)]


def _addresses(mission: UUID | None = None) -> tuple[str, ...]:
    from frasier.interfaces.web.routes import PAGES  # noqa: PLC0415  the pages are those that the program has

    served = {page.path for page in PAGES}
    fixed = [path for path in sorted(served) if "{" not in path]
    of_mission = [f"/missions/{mission}", f"/missions/{mission}/deliverable"] if mission else []
    return (*fixed, "/missions?status=delivered", *of_mission)


async def _measure_loading(server: PageServer, home: _Home, sizes: Sizes) -> list[Figure]:
    loads = {
        address: [(await asyncio.to_thread(server.get, address))[0] for _ in range(sizes.page_loads + 1)][1:]
        for address in home.addresses
    }
    figures = [_slowest("slowest page to its last byte, p95", loads, home, has_target=False)]
    if not find_chromium():
        return [
            *figures,
            _slowest("first paint of the slowest page, p95", loads, home, note=_WITHOUT_BROWSER),
        ]
    async with browser_at(server) as context:
        paints = {
            address: await first_paints(context, server, address, sizes.page_loads)
            for address in home.addresses
        }
        figures.append(_slowest("first paint of the slowest page, p95", paints, home))
        page = await open_now(context, server)
        shown = await _measure_changes(
            server, sizes, partial(ms_until_shown, page, server), by="an open page"
        )
        await page.close()
        streams = await streams_of_tabs(context, server, _TABS)
        await server.answer_all()
    return [
        *figures,
        *shown,
        Figure(what=f"streams of {_TABS} tabs", value=streams, unit="", target=at_most(1)),
    ]


async def _measure_arrivals(server: PageServer, home: _Home, sizes: Sizes) -> list[Figure]:
    """Measure how fast changes of the page Now arrive over its stream, without a browser."""
    async with open_stream_of(server, "/", alone=True) as stream:
        return await _measure_changes(
            server, sizes, partial(ms_until_sent, stream, server), by="the stream", detail=home.detail
        )


async def _measure_changes(
    server: PageServer, sizes: Sizes, ask: Callable[[int], Awaitable[float]], *, by: str, detail: str = ""
) -> list[Figure]:
    """Measure changes one after the other, and many at once. `ask` makes some and returns the milliseconds."""

    async def ask_and_answer(count: int, apart_s: float = 0.0) -> float:
        elapsed = await ask(count)
        await server.answer_all()
        await asyncio.sleep(apart_s)
        return elapsed

    arrivals = [await ask_and_answer(1, _APART_S) for _ in range(sizes.page_changes)]
    in_a_row = [await ask_and_answer(1) for _ in range(sizes.page_changes)]
    at_once = [await ask_and_answer(_AT_ONCE) for _ in range(3)]
    return [
        Figure(
            what=f"an event reaches {by}, p95",
            value=p95(arrivals),
            unit="ms",
            target=at_most(100),
            detail=f"from its commit; p50 {p50(arrivals):.0f} ms, n = {len(arrivals)}, {_APART_S * 1_000:.0f} ms apart"
            f"{'; ' + detail if detail else ''}",
        ),
        Figure(
            what=f"events without a pause reach {by}, p95",
            value=p95(in_a_row),
            unit="ms",
            detail=f"the next when the one before was answered; p50 {p50(in_a_row):.0f} ms",
        ),
        Figure(
            what=f"{_AT_ONCE} changes at once reach {by}",
            value=statistics.median(at_once),
            unit="ms",
            target=at_most(300),
            detail=f"questions of one transaction, from its commit to the last card; {len(at_once)} times: "
            + ", ".join(f"{value:.0f}" for value in at_once),
        ),
    ]


def _slowest(
    what: str, loads: Mapping[str, list[float]], home: _Home, *, note: str = "", has_target: bool = True
) -> Figure:
    each = {
        address.replace(max(address.split("/"), key=len), "…") if len(address) > 40 else address: times
        for address, times in loads.items()
    }
    listed = ", ".join(f"{address} {p50(times):.0f}/{p95(times):.0f}" for address, times in each.items())
    return Figure(
        what=what,
        value=max(p95(times) for times in loads.values()),
        unit="ms",
        target=at_most(500) if has_target else None,
        detail=f"{note + '; ' if note else ''}p50/p95 in ms: {listed}; {home.detail}",
    )


async def _measure_streams(server: PageServer) -> list[Figure]:
    """Measure what open streams add, once an event was sent to each."""
    async with AsyncExitStack() as streams:
        first = await streams.enter_async_context(open_stream_of(server, "/"))
        await _receive_change(server, [first])
        before = memory_of([server.pid]).pss
        others = [await streams.enter_async_context(open_stream_of(server, "/")) for _ in range(_STREAMS)]
        await _receive_change(server, others)
        added = memory_of([server.pid]).pss - before
    return [
        Figure(what=f"{_STREAMS} open streams, PSS", value=max(added, 0.01), unit="MB", target=at_most(10))
    ]


async def _receive_change(server: PageServer, streams: Sequence[PageStream]) -> None:
    asked, _ = await server.ask()
    for stream in streams:
        await stream.wait_for(asked)
    await server.answer_all()


async def _measure_day(server: PageServer, home: _Home, sizes: Sizes) -> Figure:
    """Open and close pages and streams while events come; compare the memory of the server with that after a tenth."""
    warm, began = 0.0, time.perf_counter()
    # Each page was loaded twice by then: its template and its statements are kept.
    warm_at = max(sizes.page_visits // 10, 2 * len(home.addresses))
    for visit in range(sizes.page_visits):
        async with open_stream_of(server, home.addresses[visit % len(home.addresses)]):
            await server.ask()
            await server.answer_all()
        if visit == warm_at:
            warm = memory_of([server.pid]).rss
    at_end = memory_of([server.pid]).rss
    return Figure(
        what="memory after a day of open pages, against that when all were loaded",
        value=at_end / warm,
        unit="",
        target=at_most(1.05),
        detail=f"{sizes.page_visits:,} pages and streams opened and closed, {2 * sizes.page_visits:,} events written "
        f"in {time.perf_counter() - began:.0f} s; RSS {warm:.0f} → {at_end:.0f} MB; {home.detail}",
    )


def _measure_added(workspace: Workspace, sizes: Sizes) -> Figure:
    """Measure what the page adds to `frasier up`: while nobody looks, and once each page was shown."""
    with (
        workspace.database() as urls,
        served_home(workspace, urls) as environment,
        run_idle(["up", "--no-web"], environment, sizes.idle_s) as pid,
    ):
        without = memory_of([pid]).pss
    port = free_port()
    with (
        workspace.database() as urls,
        served_home(workspace, urls) as environment,
        run_idle(["up", "--port", str(port)], environment, sizes.idle_s) as pid,
    ):
        wait_until_served(port)
        idle = memory_of([pid]).pss
        client = asyncio.run(log_in(urls, f"127.0.0.1:{port}", pid))
        for address in _addresses():
            client.get(address)
        shown = memory_of([pid]).pss
    return Figure(
        what="the page in `frasier up`, PSS",
        value=max(idle - without, 0.01),
        unit="MB",
        target=at_most(15),
        detail=f"{without:.0f} MB without it, {idle:.0f} MB with it, idle; "
        f"{shown - without:.1f} MB for the page once each was shown",
    )

"""The composition root, which alone wires settings, database and services; and the console entry point."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.database_urls import DatabaseUrls, embedded_server, keep_running_marker, open_database_urls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from frasier.board import BoardEngine
    from frasier.heartbeat import Heartbeat
    from frasier.interfaces.cli import (
        Installation,
        MakePages,
        Place,
        ServeMcpHttp,
        ServeMcpStdio,
        ServeMemory,
    )
    from frasier.interfaces.server_settings import ConnectionLimits
    from frasier.interfaces.services import Services
    from frasier.kernel.setting_names import SettingNames
    from frasier.llm import Gateway, Provider, Tier
    from frasier.memory import MemoryEngine, MemorySettings
    from frasier.org.conversation import FounderMessage
    from frasier.org.missions import StoredPlan
    from frasier.org.people import CapabilityTable
    from frasier.overview import Setup
    from frasier.settings import Settings
    from frasier.store import AuditLog, Channel, Database, InTransaction, Outbox
    from frasier.store.embedded import EmbeddedServer
    from frasier.work import (
        AvailableMeans,
        Directive,
        PageReader,
        PlanEstimator,
        PostMortemRecorder,
        RunKind,
        StartedMission,
        Worker,
    )
    from frasier.work.research.web import Fetcher


def main() -> None:
    """The `frasier` program."""
    # A command allocates about 100,000 objects and little garbage, and is at its end before a collection would pay.
    gc.set_threshold(150_000, 10, 50)
    # At its end the interpreter would search every object for garbage, another fifth of a command's time.
    atexit.register(gc.freeze)
    # No plugin of Pydantic is used, and looking for one reads the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from frasier.interfaces.cli import run_program

    run_program(Program())


class Program:
    """The parts of the program, each created when a command first needs it."""

    def settings(self, file: Path | None = None) -> Settings:
        from frasier.kernel.logging_setup import configure_logging
        from frasier.settings import load_settings

        settings = load_settings(file)
        configure_logging(settings.log_level)
        return settings

    def server(self) -> EmbeddedServer:
        """The embedded server of the home, not started."""
        return embedded_server(self.settings())

    def setting_names(self) -> SettingNames:
        from frasier.settings import setting_names

        return setting_names()

    def installation(self) -> Installation:
        from frasier.interfaces.cli import Installation
        from frasier.settings import settings_file

        settings = self.settings()
        return Installation(
            settings_file=settings_file(),
            llm=settings.llm,
            search=settings.web.search,
            search_url=settings.web.search_url,
        )

    def memory_settings(self) -> MemorySettings:
        return self.settings().memory

    def place(self) -> Place:
        """The locations of the home and the database."""
        from frasier.interfaces.cli import Place
        from frasier.store.embedded import default_root

        settings = self.settings()
        return Place(
            home=settings.home,
            database_url=settings.external_url,
            direct_url=settings.direct_url,
            owner_url=settings.owner_url,
            pooled=settings.database.pooled,
            server_root=default_root(settings.home, explicit=settings.home_named),
            keep_running=keep_running_marker(settings),
        )

    @asynccontextmanager
    async def services(
        self, settings_file: Path | None = None, *, for_one_host: bool = False
    ) -> AsyncIterator[Services]:
        """Open the services of this process: start and migrate the database, and found the organisation."""
        async with open_services(self.settings(settings_file), for_one_host=for_one_host) as services:
            yield services

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[InTransaction | None]:
        """Open the database as it is; None where the embedded server does not run. Nothing is started or migrated."""
        from frasier.store import Database

        settings = self.settings()
        url = settings.external_url
        if url is None:
            server = embedded_server(settings)
            if not server.running:
                yield None
                return
            url = server.url()
        async with Database(url, connections=2, pooled=settings.database.pooled) as database:
            yield database.in_transaction

    def memory_server(self) -> ServeMemory:
        from frasier.interfaces.http import serve_memory

        return partial(serve_memory, limits=self._connection_limits())

    def pages(self) -> MakePages:
        from frasier.interfaces.web import make_pages

        return make_pages

    def mcp_http_server(self) -> ServeMcpHttp:
        from frasier.interfaces.mcp import serve_http

        return partial(serve_http, limits=self._connection_limits())

    def mcp_stdio_server(self) -> ServeMcpStdio:
        from frasier.interfaces.mcp import serve_stdio

        return serve_stdio

    def _connection_limits(self) -> ConnectionLimits:
        from frasier.interfaces.server_settings import connection_limits

        settings = self.settings()
        return connection_limits(settings.server, database_connections=settings.database.connections)


@asynccontextmanager
async def open_services(
    settings: Settings, *, providers: Mapping[Tier, Provider] | None = None, for_one_host: bool = False
) -> AsyncIterator[Services]:
    """Open every service of one process, with `providers` in place of its models if given; close them at the end. A
    process `for_one_host` keeps few connections.
    """
    from frasier.interfaces.cli import announce_update
    from frasier.interfaces.publish import subscribe_webhooks
    from frasier.interfaces.services import Services
    from frasier.org.staffing import found
    from frasier.settings_listing import settings_in_effect
    from frasier.store import AuditLog, Database, EventFeed, SealKey, migrate
    from frasier.work import AvailableMeans
    from frasier.workflow import add_processes

    add_processes(settings.home / settings.workflow.processes)
    async with AsyncExitStack() as stack:
        urls = await stack.enter_async_context(open_database_urls(settings))
        announce_update(await migrate(urls.owner))
        limit = settings.database.connections_for(one_host=for_one_host)
        database = await stack.enter_async_context(Database(urls.app, connections=limit, pooled=urls.pooled))
        await database.in_transaction(found)
        means = AvailableMeans(rehearsal=settings.llm.is_rehearsal, web_search=settings.web.search != "none")
        audit_log = AuditLog(database=database, key=SealKey(settings.home / "seal.key"))
        parts = _Parts(
            settings=settings,
            database=database,
            urls=urls,
            means=means,
            audit_log=audit_log,
            providers=providers,
            closing=stack,
        )
        yield Services(
            in_transaction=database.in_transaction,
            take_directive=parts.take_directive,
            take_message=parts.take_message,
            edit_plan=parts.edit_plan,
            make_gateway=lambda: parts.gateway,
            make_memory=lambda: parts.memory,
            make_board_engine=parts.board,
            check_web_search=parts.check_web_search,
            search_web=parts.search_web,
            make_event_feed=partial(EventFeed, database, direct_url=urls.direct),
            make_subscriptions=partial(subscribe_webhooks, database, settings.webhooks, settings.home, stack),
            make_outbox=parts.outbox,
            make_heartbeat=parts.heartbeat,
            skill_settings=settings.skills,
            capabilities=parts.capabilities,
            new_worker=parts.worker,
            ensure_database=urls.ensure,
            audit_log=audit_log,
            make_post_mortems=lambda: parts.post_mortems,
            list_settings=partial(settings_in_effect, settings),
            serves_metrics=settings.telemetry.prometheus,
            setup=_setup(settings, means, urls.app),
            address=settings.server.address,
            home=settings.home,
            deliverables=settings.deliverables,
        )


def _setup(settings: Settings, means: AvailableMeans, database_url: str) -> Setup:
    """Describe what this process works with."""
    from frasier.llm import Tier
    from frasier.overview import Setup
    from frasier.store import mask_address

    return Setup(
        rehearsal=means.rehearsal,
        models={tier: settings.llm.endpoint(tier).model for tier in Tier},
        web_search=means.web_search,
        caps=settings.llm.caps,
        database_address=None if settings.external_url is None else mask_address(database_url),
        time_zone=settings.time_zone,
    )


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """The slow parts of the services, each created on first use, and closed if it was created."""

    settings: Settings
    database: Database
    urls: DatabaseUrls
    means: AvailableMeans
    audit_log: AuditLog
    providers: Mapping[Tier, Provider] | None
    closing: AsyncExitStack

    @cached_property
    def capabilities(self) -> CapabilityTable:
        """The capabilities of roles; raise ConfigurationError for a name in the founder's file that there is not."""
        from frasier.org.people import load_capabilities

        return load_capabilities(self.settings.home / "capabilities.toml")

    @cached_property
    def gateway(self) -> Gateway:
        from frasier.llm import Gateway

        gateway = Gateway(self.database, self.settings.llm, providers=self.providers)
        self.closing.push_async_callback(gateway.close)
        return gateway

    @cached_property
    def memory(self) -> MemoryEngine:
        from frasier.memory import make_engine

        engine = make_engine(self.database, self.settings.memory, owner_url=self.urls.owner)
        self.closing.push_async_callback(engine.close)
        return engine

    @cached_property
    def post_mortems(self) -> PostMortemRecorder:
        from frasier.overview import compute_post_mortem
        from frasier.work import PostMortemRecorder

        return PostMortemRecorder(self.database.in_transaction, compute_post_mortem)

    @cached_property
    def fetcher(self) -> Fetcher:
        from frasier.work.research.web import Fetcher

        fetcher = Fetcher(self.settings.web)
        self.closing.push_async_callback(fetcher.aclose)
        return fetcher

    @cached_property
    def pages(self) -> PageReader:
        """The reader of web pages: by search if one is configured, else only along the links of a directive."""
        from frasier.work import PageReader
        from frasier.work.research.web import search_provider

        pages = PageReader(
            search=search_provider(self.settings.web),
            fetcher=self.fetcher,
            per_query=self.settings.pipeline.pages_per_query,
        )
        self.closing.push_async_callback(pages.close)
        return pages

    @cached_property
    def estimate(self) -> PlanEstimator:
        """The estimator of what a mission will take."""
        from frasier.work import PlanEstimator

        return PlanEstimator(
            lambda: self.gateway,
            pipeline=self.settings.pipeline,
            autonomy=self.settings.autonomy,
            steps_at_once=min(self.settings.worker.concurrency, self.settings.llm.max_concurrency),
        )

    async def edit_plan(self, mission: str, text: str, digest: str) -> StoredPlan:
        """Replace a waiting plan by an edited one."""
        from frasier.work import edit_plan

        return await self.database.in_transaction(
            edit_plan, mission, text, digest=digest, settings=self.settings.planning, estimate=self.estimate
        )

    def check_web_search(self) -> None:
        """Create the reader of web pages; raise ConfigurationError if its settings are wrong."""
        _ = self.pages

    async def search_web(self, query: str) -> int:
        """Search the web once; return the number of results."""
        return await self.pages.search(query)

    async def take_directive(self, directive: Directive) -> StartedMission:
        """Start a mission."""
        from frasier.work import take_directive

        return await take_directive(self.database, directive, self.means)

    async def take_message(self, text: str, files: Sequence[Path]) -> FounderMessage:
        """Store a message of the founder with its files, to be answered."""
        from frasier.work import take_message

        return await take_message(self.database, text, files)

    def board(self) -> BoardEngine:
        """The boards of teams, which notify the founder as missions do."""
        from frasier.board import BoardEngine, make_external_memory
        from frasier.org.conversation import notify_founder
        from frasier.work.research.web import WebLinks

        return BoardEngine(
            database=self.database,
            links=WebLinks(lambda: self.fetcher),
            direct_url=self.urls.direct,
            notify_founder=notify_founder,
            external_memory=make_external_memory(self.settings.workflow.external_memory),
            lease_s=self.settings.workflow.lease_s,
        )

    def outbox(self) -> Outbox:
        """The outbox, which writes deliverables' folders and notifies the founder."""
        from frasier.interfaces.publish import AnnouncementFile, FolderChannel
        from frasier.org.execution import confirm_publication
        from frasier.org.missions import PUBLISH_FOLDER
        from frasier.store import Outbox

        channels: list[Channel] = [
            FolderChannel(self.database.in_transaction),
            AnnouncementFile(self.settings.home / "announcements.jsonl"),
        ]
        confirmed = {PUBLISH_FOLDER: confirm_publication}
        return Outbox(self.database, channels, confirmed, direct_url=self.urls.direct)

    def heartbeat(self) -> Heartbeat:
        from frasier.heartbeat import Heartbeat
        from frasier.interfaces.publish import telemetry_jobs
        from frasier.recurring_jobs import recurring_jobs

        caps = self.settings.llm.caps
        jobs = recurring_jobs(self.database, self.memory, self.audit_log, self.post_mortems, self.means, caps)
        jobs += telemetry_jobs(self.settings.telemetry, self.database.in_transaction, self.closing)
        return Heartbeat(self.database, jobs)

    def worker(
        self, *, concurrency: int | None = None, only: str | None = None, mission_id: UUID | None = None
    ) -> Worker:
        from frasier.work import LinkReader, Worker

        chosen = {} if concurrency is None else {"concurrency": concurrency}
        return Worker(
            database=self.database,
            direct_url=self.urls.direct,
            gateway=self.gateway,
            memory=_memory_of_runs(self.memory, self.means),
            pages=self.pages,
            links=LinkReader(self.fetcher),
            capabilities=self.capabilities,
            kinds=[kind for kind in self._run_kinds() if only in {None, kind.process}],
            background_kinds=[kind for kind in self._background_kinds() if only in {None, kind.process}],
            settings=self.settings.worker.model_copy(update=chosen),
            time_zone=self.settings.time_zone,
            mission_id=mission_id,
        )

    def _background_kinds(self) -> list[RunKind]:
        from frasier import work

        return [work.EvaluationRuns()]

    def _run_kinds(self) -> list[RunKind]:
        from frasier import work
        from frasier.overview import read_mission_figures

        settings = self.settings
        return [
            work.PlanningRuns(settings.planning, estimate=self.estimate),
            work.StepRuns(settings.pipeline, settings.autonomy, settings.planning),
            work.HireRuns(),
            work.ImprovementRuns(read_mission_figures),
            work.ReplanRuns(settings.planning, estimate=self.estimate),
            work.UpskillRuns(),
            work.TrialPairRuns(),
            work.ReviewRuns(settings.autonomy),
            *work.routine_runs(settings.autonomy),
            work.TalkRuns(
                means=self.means,
                destination=settings.deliverables,
                planning=settings.planning,
                estimate=self.estimate,
            ),
        ]


def _memory_of_runs(memory: MemoryEngine, means: AvailableMeans) -> MemoryEngine:
    """Build the memory that runs query. A rehearsal matches words only: the same answers, and no encoder."""
    if not means.rehearsal:
        return memory
    fusion = memory.settings.fusion.model_copy(update={"vector": 0.0})
    return memory.configured(memory.settings.model_copy(update={"fusion": fusion}))

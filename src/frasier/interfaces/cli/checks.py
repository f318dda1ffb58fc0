"""What `frasier doctor` looks at, from the machine up to the work that waits."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from frasier.interfaces.cli.errors import ExitCode, exit_code_of
from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application, Place
    from frasier.interfaces.services import Services
    from frasier.store import Condition, Tx

State = Literal["ok", "warn", "fail", "skipped"]

_PYTHON_MIN = (3, 11)
_POSTGRES_MIN = 15
_GIB = 1024**3
_FREE_WARN = _GIB
_FREE_FAIL = _GIB // 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at and found; `hint` says what to do. `code` is the exit code of a failed one."""

    name: str
    state: State
    found: str
    hint: str = ""
    code: int = ExitCode.DEFECT


def failed(name: str, error: FrasierError) -> Check:
    """The check that ended with an error."""
    return Check(name=name, state="fail", found=error.message, hint=error.hint, code=exit_code_of(error))


async def examine(application: Application) -> list[Check]:
    """Every check in order; what builds on a failed one is skipped, and says so."""
    checks = [_python()]
    try:
        place = application.place()
    except FrasierError as error:
        wrong = Check(
            name="settings", state="fail", found=error.message, hint=_names_set(), code=exit_code_of(error)
        )
        return [*checks, wrong, _skipped("everything else", "the settings")]
    home = _home(place)
    checks += [_settings(), home]
    if home.state == "fail":
        return [*checks, _skipped("everything else", "the home")]
    checks.append(_disk("disk of the home", place.home))
    if place.database_url is None and place.server_root.exists():
        checks.append(_disk("disk of the database", place.server_root))
    async with AsyncExitStack() as stack:
        try:
            address, where = await _reach(application, place, stack)
            reached = _database(await _condition(address), where)
        except FrasierError as error:
            reached = [failed("database", error)]
        checks += reached
        if any(check.state == "fail" for check in reached):
            return [*checks, _skipped("everything else", "the database")]
        try:
            services = await stack.enter_async_context(application.services())
            checks += await _inside(services)
        except FrasierError as error:
            checks.append(failed("start", error))
    return checks


def _skipped(name: str, cause: str) -> Check:
    return Check(name=name, state="skipped", found=f"not looked at, because {cause} failed")


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _PYTHON_MIN:
        return Check(name="Python", state="fail", found=version, hint="Install Python 3.11 or newer.")
    return Check(name="Python", state="ok", found=version)


def _names_set() -> str:
    # Names only: a value may be a secret.
    names = sorted(name for name in os.environ if name.startswith("FRASIER_"))
    return f"Set are: {', '.join(names)}." if names else "None is set: all are the defaults."


def _settings() -> Check:
    return Check(name="settings", state="ok", found=_names_set())


def _home(place: Place) -> Check:
    try:
        place.home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place.home):
            pass
    except OSError as error:
        return Check(
            name="home",
            state="fail",
            found=f"{place.home} cannot be written: {error.strerror}",
            hint="Make it writable, or name another with FRASIER_HOME.",
            code=ExitCode.CONFIGURATION,
        )
    return Check(name="home", state="ok", found=f"{place.home} is writable")


def _disk(name: str, directory: Path) -> Check:
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    found = f"{free / _GIB:,.1f} GiB free"
    if free >= _FREE_WARN:
        return Check(name=name, state="ok", found=found)
    return Check(
        name=name,
        state="warn" if free >= _FREE_FAIL else "fail",
        found=f"only {found} in {existing}",
        hint="Make room: a full disk stops the database.",
        code=ExitCode.CONFIGURATION,
    )


async def _reach(application: Application, place: Place, stack: AsyncExitStack) -> tuple[str, str]:
    """The database's address, and whose it is; the embedded server runs until the stack is closed."""
    import asyncio

    from frasier.store import check_address

    if place.database_url is not None:
        return check_address(place.database_url), "yours"
    server = application.server()
    await asyncio.to_thread(server.start)
    stack.push_async_callback(asyncio.to_thread, server.release, stop_if_last=not place.keep_running.exists())
    return server.url(), f"embedded in {place.server_root}"


def _database(found: Condition, where: str) -> list[Check]:
    return [_version(found, where), _vector(found), _schema(found)]


async def _condition(database_url: str) -> Condition:
    from frasier.store import Database, read_condition

    async with Database(database_url) as database, database.transaction() as tx:
        return await read_condition(tx)


def _version(found: Condition, where: str) -> Check:
    text = f"PostgreSQL {found.version}, {where}"
    if int(found.version.partition(".")[0].split()[0]) < _POSTGRES_MIN:
        hint = f"Use PostgreSQL {_POSTGRES_MIN} or newer."
        return Check(name="database", state="fail", found=text, hint=hint, code=ExitCode.DATABASE)
    return Check(name="database", state="ok", found=text)


def _vector(found: Condition) -> Check:
    if found.vector is None:
        hint = "Let an administrator run `create extension vector` in it."
        return Check(name="pgvector", state="warn", found=f"not in the database {found.database}", hint=hint)
    return Check(name="pgvector", state="ok", found=found.vector)


def _schema(found: Condition) -> Check:
    if found.foreign:
        names = ", ".join(found.foreign)
        return Check(
            name="schema",
            state="fail",
            found=f"{names} was applied by another version of this program",
            hint="Upgrade this program, or restore the migration as it was released.",
            code=ExitCode.DATABASE,
        )
    if found.pending:
        number = len(found.pending)
        return Check(name="schema", state="ok", found=f"{number} of its migrations are applied now")
    return Check(name="schema", state="ok", found=f"{len(found.applied)} migrations, up to date")


async def _inside(services: Services) -> list[Check]:
    """What only the opened services can tell."""
    return [
        await _round_trip(services),
        *await _trail(services),
        *await _models(services),
        _search(services),
        *await _work(services),
    ]


async def _round_trip(services: Services) -> Check:
    """Something is committed, seen by another transaction, and taken away again."""
    from frasier.kernel.ids import new_id
    from frasier.store import drop_lease, lease_holders, take_lease

    name, holder = "doctor", new_id().hex
    started = time.monotonic()
    try:
        async with services.database.transaction() as tx:
            await take_lease(tx, f"{name}:{holder}", holder=holder, lease_s=60)
        async with services.database.transaction() as tx:
            read_back = (await lease_holders(tx)).get(f"{name}:{holder}")
            await drop_lease(tx, f"{name}:{holder}", holder=holder)
    except FrasierError as error:
        return failed("write and read", error)
    took = f"{(time.monotonic() - started) * 1_000:,.0f} ms"
    if read_back != holder:
        found = "what was committed was not there afterwards"
        hint = "Point FRASIER_DATABASE_URL at the primary server."
        return Check(name="write and read", state="fail", found=found, hint=hint, code=ExitCode.DATABASE)
    return Check(name="write and read", state="ok", found=f"written, read and removed in {took}")


async def _trail(services: Services) -> list[Check]:
    from frasier.store import event_guard, verify_trail

    async with services.database.transaction() as tx:
        guard = _guard(await event_guard(tx))
    verification = await verify_trail(services.database, services.seal_key)
    if verification.problems:
        found = f"{len(verification.problems)} problems: {verification.problems[0]}"
        hint = "`frasier events verify` lists them."
        return [
            guard,
            Check(name="audit trail", state="fail", found=found, hint=hint, code=ExitCode.DATABASE),
        ]
    found = f"{verification.events:,} events verify, {verification.sealed_events:,} of them sealed"
    return [guard, Check(name="audit trail", state="ok", found=found)]


def _guard(guard: str) -> Check:
    name = "append-only"
    match guard:
        case "privilege":
            return Check(name=name, state="ok", found="this program's role cannot change events")
        case "trigger":
            return Check(
                name=name,
                state="warn",
                found="this program's role owns the events; only a trigger keeps it from changing them",
                hint="Use the role frasier_app in FRASIER_DATABASE_URL, and the owner in FRASIER_DATABASE__OWNER_URL.",
            )
    return Check(
        name=name,
        state="fail",
        found="events can be changed",
        hint="Restore the schema.",
        code=ExitCode.DATABASE,
    )


async def _models(services: Services) -> list[Check]:
    results = await services.gateway.self_test()
    checks = []
    for tier, result in results.items():
        name = f"model {tier}"
        if services.means.rehearsal and result.status == "ok":
            found = "rehearsal: no model is configured"
            hint = "Set OPENROUTER_API_KEY, or FRASIER_LLM__BASE_URL for a model of your own."
            checks.append(Check(name=name, state="warn", found=found, hint=hint))
        elif result.status == "ok":
            checks.append(
                Check(name=name, state="ok", found=f"{result.model} answered in {result.latency_ms:,} ms")
            )
        elif result.status == "degraded":
            found = f"{result.model} answered in its place: {result.reason}"
            checks.append(
                Check(name=name, state="warn", found=found, hint=f"Check FRASIER_LLM__{tier}_MODEL.")
            )
        else:
            hint = f"Check FRASIER_LLM__{tier}_MODEL, the key and the address."
            checks.append(
                Check(name=name, state="fail", found=result.reason, hint=hint, code=ExitCode.PROVIDER)
            )
    return checks


def _search(services: Services) -> Check:
    if services.means.web_search:
        return Check(name="web search", state="ok", found="configured")
    return Check(
        name="web search",
        state="warn",
        found="none: missions work from their sources only",
        hint="Set FRASIER_WEB__SEARCH=brave with FRASIER_WEB__SEARCH_KEY, or searxng with FRASIER_WEB__SEARCH_URL.",
    )


async def _work(services: Services) -> list[Check]:
    async with services.database.transaction() as tx:
        return [await _effects(tx), await _blocked(tx)]


async def _effects(tx: Tx) -> Check:
    from frasier.store import open_effects

    effects = await open_effects(tx)
    if not effects:
        return Check(name="outbox", state="ok", found="nothing failed, nothing in doubt")
    found = f"{len(effects)} failed or in doubt: {effects[0].kind}: {effects[0].error or effects[0].state}"
    return Check(name="outbox", state="warn", found=found, hint="`frasier outbox resend` tries again.")


async def _blocked(tx: Tx) -> Check:
    from frasier.workflow import blocked_tasks

    blocked = await blocked_tasks(tx)
    if not blocked:
        return Check(name="blocked tasks", state="ok", found="none")
    found = f"{len(blocked)}, the longest: {blocked[0].title}"
    return Check(name="blocked tasks", state="warn", found=found, hint="`frasier inbox` shows what to do.")

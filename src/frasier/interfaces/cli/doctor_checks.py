"""The checks of `frasier doctor`, from the machine up to waiting work."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.interfaces.cli.doctor_check import Check, failed
from frasier.interfaces.cli.doctor_service_checks import examine_services
from frasier.interfaces.cli.errors import ExitCode, exit_code_of, hint_of
from frasier.kernel.errors import FrasierError

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application, Place
    from frasier.kernel.setting_names import SettingNames
    from frasier.store import Condition
    from frasier.store.embedded import ConnectedProcesses

_PYTHON_MIN = (3, 11)
_GIB = 1024**3
_RESERVED = 3  # connections that PostgreSQL keeps for the superuser
_CROWDED = 0.8
_FREE_WARN = _GIB
_FREE_FAIL = _GIB // 10


async def examine(application: Application) -> list[Check]:
    """Run every check in order; skip those that depend on a failed one, and report that."""
    import asyncio

    from frasier.store import condition_of

    checks = [_python()]
    try:
        place = application.place()
    except FrasierError as error:
        hint = f"{hint_of(error)} {_names_set(application.setting_names())}".strip()
        wrong = Check(name="settings", state="fail", found=error.message, hint=hint, code=exit_code_of(error))
        return [*checks, wrong, _skipped("the settings")]
    home = _home(place)
    found = _names_set(application.setting_names())
    checks += [Check(name="settings", state="ok", found=found), home]
    if home.state == "fail":
        return [*checks, _skipped("the home")]
    checks.append(_disk("disk of the home", place.home))
    if place.database_url is None and place.server_root.exists():
        checks.append(_disk("disk of the database", place.server_root))
    async with AsyncExitStack() as stack:
        try:
            address, where = await _reach(application, place, stack)
            if place.database_url is None:
                checks.append(_connections(await asyncio.to_thread(application.server().connected)))
            reached = _database(await condition_of(address, pooled=place.pooled), where)
        except FrasierError as error:
            reached = [failed("database", error)]
        checks += reached
        if any(check.state == "fail" for check in reached):
            return [*checks, _skipped("the database")]
        try:
            services = await stack.enter_async_context(application.services())
            checks += await examine_services(services)
        except FrasierError as error:
            checks.append(failed("start", error))
    return checks


def _skipped(cause: str) -> Check:
    return Check(name="everything else", state="skipped", found=f"not looked at, because {cause} failed")


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _PYTHON_MIN:
        return Check(name="Python", state="fail", found=version, hint="Install Python 3.11 or newer.")
    return Check(name="Python", state="ok", found=version)


def _names_set(names: SettingNames) -> str:
    """Name the settings of the environment and of the file; no value, which may be a secret."""
    parts = [", ".join(names.environment)] if names.environment else []
    if names.in_file:
        parts.append(f"in {names.file}: {', '.join(names.in_file)}")
    return f"Set are: {'; '.join(parts)}." if parts else "None is set: all are the defaults."


def _home(place: Place) -> Check:
    existing = next(path for path in (place.home, *place.home.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
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
    """Return the address of the database and a description of its owner. An embedded server runs until the stack is
    closed.
    """
    import asyncio

    from frasier.store import check_address, check_direct

    if place.database_url is not None:
        address = check_address(place.database_url)
        if place.pooled and place.direct_url is not None:
            direct = check_address(place.direct_url, setting="FRASIER_DATABASE__DIRECT_URL")
            await check_direct(address, direct)
        return address, "yours"
    server = application.server()
    await asyncio.to_thread(server.start)
    stack.push_async_callback(asyncio.to_thread, server.release, stop_if_last=not place.keep_running.exists())
    return server.url(), f"embedded in {place.server_root}"


def _database(condition: Condition, where: str) -> list[Check]:
    version = f"PostgreSQL {condition.version}, {where}"
    return [Check(name="database", state="ok", found=version), _vector(condition), _schema(condition)]


def _connections(connected: ConnectedProcesses) -> Check:
    name, full = "connections", connected.count >= connected.limit - _RESERVED
    if not full and connected.count < _CROWDED * connected.limit:
        return Check(
            name=name, state="ok", found=f"{connected.count} of {connected.limit} connections are in use"
        )
    return Check(
        name=name,
        state="fail" if full else "warn",
        found=str(connected),
        hint="End processes that are not needed, such as `frasier mcp` of agents that have finished.",
        code=ExitCode.DATABASE,
    )


def _vector(condition: Condition) -> Check:
    if condition.vector is None:
        hint = "Let an administrator run `create extension vector` in it."
        return Check(
            name="pgvector", state="warn", found=f"not in the database {condition.database}", hint=hint
        )
    return Check(name="pgvector", state="ok", found=condition.vector)


def _schema(condition: Condition) -> Check:
    if condition.development:
        return Check(
            name="schema",
            state="fail",
            found="made by an earlier development version, which cannot be upgraded",
            hint="Keep it for that version; set FRASIER_HOME or FRASIER_DATABASE_URL to a new place.",
            code=ExitCode.DATABASE,
        )
    if condition.foreign:
        names = ", ".join(condition.foreign)
        return Check(
            name="schema",
            state="fail",
            found=f"{names} was applied by another version of this program",
            hint="Upgrade this program, or restore the migration as it was released.",
            code=ExitCode.DATABASE,
        )
    if condition.pending:
        number = len(condition.pending)
        return Check(name="schema", state="ok", found=f"{number} of its migrations are applied now")
    return Check(name="schema", state="ok", found=f"{len(condition.applied)} migrations, up to date")

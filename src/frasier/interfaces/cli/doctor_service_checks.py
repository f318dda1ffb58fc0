"""The checks of `frasier doctor` that need open services: permissions, audit log, models, search, waiting work."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from frasier.interfaces.cli.doctor_check import Check, failed
from frasier.interfaces.cli.errors import ExitCode
from frasier.kernel.errors import FrasierError
from frasier.kernel.humanize import plural
from frasier.kernel.ids import new_id

if TYPE_CHECKING:
    from frasier.board import BlockedTask
    from frasier.interfaces.services import Services
    from frasier.overview import WaitingQuestion
    from frasier.store import EffectState


async def examine_services(services: Services) -> list[Check]:
    """Run the checks that need open services."""
    return [
        await _round_trip(services),
        *await _trail(services),
        await _tasks(services),
        *await _models(services),
        await _encoder(services),
        _search(services),
        *await _work(services),
        await _subscriptions(services),
    ]


async def _round_trip(services: Services) -> Check:
    """Commit a row, read it in another transaction, and delete it again."""
    from frasier.store import drop_lease, lease_holders, take_lease

    name, holder = "doctor", new_id().hex
    started = time.monotonic()
    try:
        await services.in_transaction(take_lease, f"{name}:{holder}", holder=holder, lease_s=60)
        read_back = (await services.in_transaction(lease_holders)).get(f"{name}:{holder}")
        await services.in_transaction(drop_lease, f"{name}:{holder}", holder=holder)
    except FrasierError as error:
        return failed("write and read", error)
    took = f"{(time.monotonic() - started) * 1_000:,.0f} ms"
    if read_back != holder:
        found = "what was committed was not there afterwards"
        hint = "Point FRASIER_DATABASE_URL at the primary server."
        return Check(name="write and read", state="fail", found=found, hint=hint, code=ExitCode.DATABASE)
    return Check(name="write and read", state="ok", found=f"written, read and removed in {took}")


async def _trail(services: Services) -> list[Check]:
    from frasier.store import event_guard

    guard = _guard(await services.in_transaction(event_guard))
    verification = await services.audit_log.verify()
    if verification.problems:
        found = f"{len(verification.problems)} problems: {verification.problems[0]}"
        hint = "`frasier events verify` lists them, and says what to do."
        return [
            guard,
            Check(name="audit log", state="fail", found=found, hint=hint, code=ExitCode.DATABASE),
        ]
    found = f"{plural(verification.events, 'event')} verified, {verification.sealed_events:,} of them sealed"
    return [guard, Check(name="audit log", state="ok", found=found)]


async def _tasks(services: Services) -> Check:
    from frasier.board import SAMPLE

    replays = await services.board.replay_tasks(sample=SAMPLE)
    if replays.differing:
        name, problems = next(iter(replays.differing.items()))
        found = f"{plural(len(replays.differing), 'task')} not where the events lead: {name}: {problems[0]}"
        hint = "`frasier events verify --tasks all` lists them."
        return Check(name="tasks", state="fail", found=found, hint=hint, code=ExitCode.DATABASE)
    found = (
        f"{replays.replayed:,} of {plural(replays.tasks, 'task')} replayed: they are where their events lead"
    )
    return Check(name="tasks", state="ok", found=found)


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
        if services.setup.rehearsal and result.status == "ok":
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


async def _encoder(services: Services) -> Check:
    name = "memory encoder"
    try:
        memory = services.memory
        provider = memory.settings.embedding.provider
        if provider == "none":
            return Check(name=name, state="ok", found="none is wanted: memories are found by their words")
        trouble = await memory.check_encoder()
    except FrasierError as error:
        return failed(name, error)
    if trouble:
        hint = "Check FRASIER_MEMORY__EMBEDDING__…; until then memories are found by their words."
        return Check(name=name, state="warn", found=trouble, hint=hint)
    answers = "its files are there and whole" if provider == "local" else "it answered"
    return Check(name=name, state="ok", found=f"{provider}: {answers}")


def _search(services: Services) -> Check:
    if services.setup.web_search:
        try:
            services.check_web_search()
        except FrasierError as error:
            return failed("web search", error)
        return Check(name="web search", state="ok", found="configured")
    return Check(
        name="web search",
        state="warn",
        found="none: missions work from their sources only",
        hint="Set FRASIER_WEB__SEARCH=brave with FRASIER_WEB__SEARCH_KEY, or searxng with FRASIER_WEB__SEARCH_URL.",
    )


async def _work(services: Services) -> list[Check]:
    from frasier.board import blocked_tasks
    from frasier.org.governance import open_questions
    from frasier.overview import waiting_questions
    from frasier.store import open_effects

    return [
        _effects(await services.in_transaction(open_effects)),
        _troubles(waiting_questions(await services.in_transaction(open_questions))),
        _blocked(await services.in_transaction(blocked_tasks)),
    ]


async def _subscriptions(services: Services) -> Check:
    from frasier.store import list_subscriptions

    there = await services.in_transaction(list_subscriptions)
    if not there:
        return Check(name="subscriptions", state="ok", found="none")
    secrets = services.subscriptions.secrets
    others = [one.name for one in there if one.secret_digest != secrets.digest_of(one.id, one.secret_version)]
    if not others:
        return Check(
            name="subscriptions", state="ok", found=f"{len(there)}, signed with the key of this home"
        )
    return Check(
        name="subscriptions",
        state="warn",
        found=f"{', '.join(others)} cannot be signed: the key in subscriptions.key is another one",
        hint="Put subscriptions.key back from the backup of the home, or run"
        f" `frasier subscriptions rotate-secret {others[0]}`, and give the new secret to the receiver.",
    )


def _effects(effects: Sequence[EffectState]) -> Check:
    if not effects:
        return Check(name="outbox", state="ok", found="nothing in trouble, nothing in doubt")
    found = (
        f"{len(effects)} in trouble or in doubt: {effects[0].kind}: {effects[0].error or effects[0].state}"
    )
    hint = "`frasier outbox resend` tries again, at once."
    return Check(name="outbox", state="warn", found=found, hint=hint, stops_work=True)


def _troubles(questions: Sequence[WaitingQuestion]) -> Check:
    troubles = [question for question in questions if question.is_about_trouble]
    if not troubles:
        return Check(name="stopped work", state="ok", found="none")
    tasks = plural(sum(len(trouble.tasks) for trouble in troubles), "task")
    missions = len({mission for trouble in troubles for mission in trouble.missions})
    of = f" of {plural(missions, 'mission')}" if missions else ""
    found = f"{tasks}{of}: {troubles[0].text}"
    hint = "`frasier inbox` shows the causes; remove them, and answer there."
    return Check(name="stopped work", state="warn", found=found, hint=hint, stops_work=True)


def _blocked(blocked: Sequence[BlockedTask]) -> Check:
    if not blocked:
        return Check(name="blocked tasks", state="ok", found="none")
    found = f"{len(blocked)}, the longest: {blocked[0].title}"
    return Check(name="blocked tasks", state="warn", found=found, hint="`frasier inbox` shows what to do.")

"""Fault 44, of switches: whatever can be turned off takes its effect away, and no switch is without its test."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from typing import Any

import pytest
from pydantic import BaseModel

from frasier.memory import (
    EmbeddingSettings,
    FusionSettings,
    MemorySettings,
    RerankSettings,
    ScoringSettings,
    SessionSettings,
)
from support.memory_client import NO_VECTORS, WordVectors, open_database, open_memory_client
from support.model_server import ModelServer, ScriptedAnswer


async def _gate(memory_client):
    text = "The nightly backup is written to the second disk in the cellar by the maintenance job."
    first = await memory_client("memory_save", content=text)
    second = await memory_client("memory_save", content=f"{text} Always.")
    return first["id"] == second["id"]


async def _corrections_penalise(memory_client):
    crane = await memory_client.save("The green crane.")
    before = (await memory_client("memory_get", id=crane))["stability_days"]
    await memory_client("memory_correct", id=crane, type="deprecated", reason="wrong")
    listed = await memory_client("memory_corrections", id=crane)
    assert len(listed["corrections"]) == 1, "it is on record either way"
    return (await memory_client("memory_get", id=crane))["stability_days"] < before


async def _expansion(memory_client):
    crane = await memory_client.save("The harbour crane.")
    return await memory_client.found("harbuor") == [crane]


async def _cache(memory_client):
    await memory_client.save("The green crane.")
    return [(await memory_client.ask("memory_search", query="crane")).meta.cache_hit for _ in range(2)][1]


async def _dedupe(memory_client):
    await memory_client.save("The green crane.")
    return [len(await memory_client.found("crane", session=memory_client.session)) for _ in range(2)] == [
        1,
        0,
    ]


def _arm(name):
    async def found(memory_client):
        for text in ("Which crane is broken?", "The one at pier nine."):
            await memory_client("memory_save", content=text, kind="conversation", thread="t", speaker="Ada")
        [turn] = [hit["id"] for hit in await memory_client.search("crane broken", kinds=["conversation"])][
            :1
        ] or [None]
        bolt = await memory_client.save("Rusty bolt somewhere.")
        button = await memory_client.save("Press the red button.", triggers=["crane is broken"])
        if turn:
            await memory_client("memory_link", source=bolt, target=turn, relation="caused")
        await memory_client("memory_link", source=bolt, target=button, relation="caused")
        if name == "vector":
            await memory_client.engine.embed_due()
        kinds = ["conversation", "observation"]
        hits = await memory_client.search("why the crane is broken", kinds=kinds, bypass_cache=True)
        return any(name in hit["sources"] for hit in hits)

    return found


def _factor(name):
    async def counts(memory_client):
        crane = await memory_client.save(
            "We chose a green crane.", kind="decision", title="Crane", importance=9
        )
        await memory_client.rows("update memory_items set memory_type = 'episodic' where id = %s", crane)
        if name == "usage":
            for _ in range(3):
                await memory_client("memory_get", id=crane)
        if name == "citation":
            await memory_client("memory_cite", ids=[crane])
        if name == "decay":
            await memory_client.age(crane, 7)
        query = "the crane decision" if name == "pattern" else "chose green"
        intent = "find_decision" if name == "intent" else "understand"
        [hit] = await memory_client.search(query, intent=intent, bypass_cache=True)
        only = ScoringSettings(**dict.fromkeys(ScoringSettings.model_fields, False))
        bare = memory_client.set_to(scoring=only)
        [same] = await bare.search(query, intent=intent, bypass_cache=True)
        return abs(hit["score"] / same["score"] - 1) > 0.003

    return counts


async def _rerank(memory_client):
    await memory_client.save("The green crane.")
    return (await memory_client("memory_search", query="crane"))["reranked"]


async def _provider(memory_client):
    await memory_client.save("The green crane.")
    await memory_client.engine.embed_due()
    return any("vector" in hit["sources"] for hit in await memory_client.search("crane"))


FLAGS = {
    "gate": _gate,
    "corrections_penalise": _corrections_penalise,
    "expansion": _expansion,
    "cache": _cache,
    "sessions.dedupe": _dedupe,
    "rerank.method": _rerank,
    "embedding.provider": _provider,
    **{f"fusion.{name}": _arm(name) for name in ("lexical", "vector", "context", "graph", "trigger")},
    **{f"scoring.{name}": _factor(name) for name in ScoringSettings.model_fields},
}


def _switches(model: type[BaseModel], prefix: str = "") -> set[str]:
    """Every setting that can be off: booleans, weights that may be nought, and choices with `none` among them."""
    found = set()
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= _switches(kind, f"{prefix}{name}.")
        elif (
            kind is bool
            or "'none'" in str(kind)
            or (prefix == "fusion." and any(getattr(rule, "ge", None) == 0 for rule in field.metadata))
        ):
            found.add(f"{prefix}{name}")
    return found


def test_fault_44_no_switch_is_without_its_test() -> None:
    assert FLAGS.keys() == _switches(MemorySettings)


def _settings(flag: str, *, on: bool, url: str) -> MemorySettings:
    """As usual, but for the one switch. Of the factors of a memory's worth only the one is on."""
    name, _, inner = flag.partition(".")
    changed: dict[str, Any] = {"embedding": EmbeddingSettings(provider="none")}
    match name:
        case "fusion":
            changed["fusion"] = FusionSettings(**({} if on else {inner: 0.0}))
        case "scoring":
            off = dict.fromkeys(ScoringSettings.model_fields, False)
            changed["scoring"] = ScoringSettings(**off | {inner: on})
        case "sessions":
            changed["sessions"] = SessionSettings(dedupe=on)
        case "rerank":
            changed["rerank"] = RerankSettings(method="endpoint" if on else "none", url=url)
        case "embedding":
            pass
        case _:
            changed[name] = on
    return NO_VECTORS.model_copy(update=changed)


def judge(body: Any) -> ScriptedAnswer:
    rows = [{"index": at, "score": 0.5} for at in range(len(body["documents"]))]
    return ScriptedAnswer(body=json.dumps({"results": rows}))


@pytest.mark.parametrize("on", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("flag", FLAGS)
async def test_fault_44_a_switch_that_is_off_takes_its_effect_away(server, database, flag, on):
    async with AsyncExitStack() as stack:
        provider = None
        if flag == "fusion.vector" or (flag == "embedding.provider" and on):
            # Vectors are owed by all desks of a database, so such a test has one to itself.
            database = await stack.enter_async_context(open_database(server))
            provider = WordVectors()
        endpoint = stack.enter_context(ModelServer(judge))
        settings = _settings(flag, on=on, url=endpoint.base_url)
        memory_client = await stack.enter_async_context(
            open_memory_client(database, settings, provider=provider)
        )
        assert bool(await FLAGS[flag](memory_client)) is on

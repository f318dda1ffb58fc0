"""Every tool over HTTP: whatever it is called with, it answers or refuses with a code."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.interfaces.memory_tools import TOOLS
from frasier.memory import EmbeddingSettings, MemorySettings
from support.brain import error_of, open_brain

UNKNOWN = "01900000-0000-7000-8000-000000000000"
KNOWN = "01900000-0000-7000-8000-00000000beef"
ODD_TEXTS = st.sampled_from(
    [
        *(
            "",
            " ",
            "%",
            "'; drop table memory_items; --",
            "../../etc/passwd",
            "shared",
            "\u202e",
            "İ",
            "a" * 300,
        ),
        *(UNKNOWN, KNOWN, KNOWN[-8:], "zanzibar release", "s-1"),
    ]
)
MOMENTS = st.sampled_from(
    ["2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"]
)
TEXTS = st.text(max_size=30) | ODD_TEXTS
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


USUAL = {
    "content": st.text(min_size=10, max_size=40).filter(str.strip),
    "scope": st.just("shared"),
    "id": st.just(KNOWN),
    "session": st.just("s-1"),
}


def fitting(schema, root):
    """Values that the schema allows, so that more than the check of arguments is reached."""
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return st.one_of([fitting(one, root) for one in schema[several]])
    match schema.get("type"):
        case "integer":
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**70))
        case "number":
            return st.floats(schema.get("minimum", -2), schema.get("maximum", 2))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return st.lists(
                fitting(schema.get("items", {}), root), min_size=schema.get("minItems", 0), max_size=3
            )
        case "object":
            return objects(schema, root)
        case "string":
            return texts(schema)
        case _:
            return ANYTHING


def texts(schema):
    if schema.get("format") == "date-time":
        return MOMENTS
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True)
    least, most = schema.get("minLength", 0), schema.get("maxLength", 300)
    odd = ODD_TEXTS.filter(lambda text: least <= len(text) <= most)
    return odd | st.text(min_size=least, max_size=min(least + 20, most))


def objects(schema, root, more=None):
    """What is required, a content or scope as it can be, and a few of the other fields: most calls get through."""
    named = {name: fitting(inner, root) for name, inner in schema.get("properties", {}).items()}
    named |= {name: usual for name, usual in USUAL.items() if name in named}
    if more is not None:
        named = {name: values | more for name, values in named.items()}
    wanted = {name for name in named if name in schema.get("required", ()) or name == "content"}
    others = sorted(named.keys() - wanted)
    few = st.sets(st.sampled_from(others), max_size=3) if others else st.just(set())
    return few.flatmap(lambda chosen: st.fixed_dictionaries({name: named[name] for name in wanted | chosen}))


@pytest.fixture(scope="module")
async def brain(_shared_database):
    async with open_brain(_shared_database, TOOLS) as brain:
        saved = await brain.post("contribute", {"content": "The zanzibar release goes out on Tuesdays."})
        async with brain.db.transaction() as tx:
            await tx.execute("update memory_items set id = %s where id = %s", (KNOWN, saved.json()["id"]))
        yield brain


@pytest.mark.parametrize("name", TOOLS)
async def test_no_garbage_brings_a_tool_down(brain, name):
    schema = TOOLS[name].input.model_json_schema()
    loop = asyncio.get_running_loop()

    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(arguments=objects(schema, schema) | objects(schema, schema, more=ANYTHING))
    def throw(arguments):
        sent = json.dumps(arguments).encode()
        headers = {"Content-Type": "application/json"}
        call = brain.client.post(f"/api/v1/tools/{name}", content=sent, headers=headers)
        answered = asyncio.run_coroutine_threadsafe(call, loop).result(60)
        assert answered.status_code == 200 or 400 <= answered.status_code < 500, answered.text
        if answered.status_code != 200:
            error_of(answered)

    await asyncio.to_thread(throw)


async def test_every_tool_is_listed_as_it_can_be_called(brain):
    listed = (await brain.get("tools")).json()["tools"]
    assert [tool["name"] for tool in listed] == list(TOOLS)
    for tool in listed:
        assert tool["description"]
        assert tool["input_schema"]["type"] == "object"


async def test_what_one_tool_saves_another_finds(brain):
    saved = await brain.post("tools/memory_save", {"content": "The madagascar release goes out on Mondays."})
    assert saved.status_code == 200, saved.text
    found = await brain.post("tools/memory_search", {"query": "madagascar release"})
    assert "Mondays" in json.dumps(found.json()["data"])


async def test_a_file_is_written_over_only_with_the_hash_of_what_it_says(db, tmp_path):
    settings = MemorySettings(roots=(tmp_path,), embedding=EmbeddingSettings(provider="none"))
    async with open_brain(db, TOOLS, settings=settings) as brain:

        async def save(content, **given):
            return await brain.post(
                "tools/memory_save", {"content": content, "file_path": "pier.md", **given}
            )

        first = (await save("The pier is closed on Sundays.")).json()["data"]
        assert error_of(await save("The pier is open on Sundays."))["number"] == "E083"
        kept = (await brain.post("tools/memory_get", {"id": first["id"]})).json()["data"]
        assert kept["file_hash"] == first["file_hash"]
        written = await save("The pier is open on Sundays.", expected_hash=first["file_hash"].upper())
        assert (written.json()["data"]["id"], written.json()["data"]["version"]) == (first["id"], 2)
        late = error_of(await save("The pier is gone altogether.", expected_hash=first["file_hash"]))
        assert (late["code"], late["number"]) == ("stale", "E083")
        assert "open on Sundays" in (tmp_path / "pier.md").read_text()

"""Faults 36 to 39, of hostile paths, hostile texts, secrets and wildcards: tried through tools and the program."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from pydantic import SecretStr

from frasier.interfaces.memory_tools import TOOLS
from frasier.kernel.errors import FrasierError, InvalidInput
from frasier.memory import EmbeddingSettings, MemorySettings
from support.embedding_server import EmbeddingServer, refusing
from support.memory_desk import NO_VECTORS, open_database, open_desk

SLOW_S = 10.0  # on a busy machine; what is not linear takes minutes


@pytest.fixture(scope="module")
async def database(server):
    async with open_database(server) as database:
        yield database


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "memories"
    folder.mkdir()
    (tmp_path / "outside.md").write_text("# Outside\n\nThe lighthouse is none of yours.\n")
    return folder


@pytest.fixture
async def desk(database, root):
    async with open_desk(database, NO_VECTORS.model_copy(update={"roots": (root,)})) as desk:
        yield desk


OUTSIDE = [
    "../outside.md",
    "{root}/../outside.md",
    "{root}/./x/../../outside.md",
    "{outside}",
    "/etc/passwd",
    "/etc/passwd\0.md",
    "link.md",
    "linked/outside.md",
    "//etc/../etc/hostname.md",
    "{root}x/outside.md",
]


@pytest.mark.parametrize("spelled", OUTSIDE)
async def test_fault_36_no_spelling_of_a_path_leads_outside(desk, root, spelled):
    (root / "link.md").symlink_to(root.parent / "outside.md")
    (root / "linked").symlink_to(root.parent)
    path = spelled.format(root=root, outside=root.parent / "outside.md")
    before = sorted(root.parent.rglob("*"))
    for tool, arguments in (
        ("memory_save", {"file_path": path}),
        ("memory_save", {"file_path": path, "content": "Written by whoever wanted to."}),
        ("memory_index_scan", {"folder": path}),
        ("session_save", {"session": desk.session, "continue_folder": path}),
    ):
        with pytest.raises(FrasierError) as refused:
            await desk(tool, **arguments)
        assert "lighthouse" not in json.dumps(refused.value.as_dict())
    assert sorted(root.parent.rglob("*")) == before
    assert "none of yours" in (root.parent / "outside.md").read_text()
    assert (await desk("memory_list"))["total"] == 0


async def test_fault_36_a_path_from_the_database_is_trusted_no_more_than_any_other(desk, root):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    note = (await desk("memory_save", file_path="note.md"))["id"]
    outside = root.parent / "outside.md"
    for path, base in ((outside, root.parent), (f"{root}/../outside.md", root), ("/etc/passwd", "/etc")):
        await desk.rows(
            "update memory_files set path = %s, root = %s, mtime_ns = 0, content_hash = null,"
            " status = 'pending' where id = (select file_id from memory_items where id = %s)",
            str(path),
            str(base),
            note,
        )
        await desk("memory_index_scan", force=True)
        with pytest.raises(FrasierError):
            await desk("memory_save", file_path=str(path), force=True)
    answers = [
        await desk("memory_list", archived=True),
        await desk("memory_search", query="lighthouse root"),
        await desk("memory_get", id=note),
    ]
    assert "none of yours" not in json.dumps(answers)
    assert "/bin/" not in json.dumps(answers)
    assert "none of yours" in outside.read_text()


async def test_fault_36_a_file_that_becomes_a_link_is_not_followed(desk, root):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    await desk("memory_index_scan")
    (root / "note.md").unlink()
    (root / "note.md").symlink_to(root.parent / "outside.md")
    report = await desk("memory_index_scan", force=True)
    assert (report["indexed"], report["updated"]) == (0, 0)
    assert await desk.found("lighthouse") == []


def test_fault_36_the_program_follows_no_path_outside_either(frasier, tmp_path):
    folder = tmp_path / "memories"
    folder.mkdir()
    (tmp_path / "outside.md").write_text("# Outside\n\nThe lighthouse is none of yours.\n")
    settings = {
        "FRASIER_MEMORY__ROOTS": json.dumps([str(folder)]),
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
    }
    ended = frasier("memory", "save", "--file", str(tmp_path / "outside.md"), code=3, **settings)
    assert "memory folder" in ended.err
    assert "lighthouse" not in ended.out + ended.err


HOSTILE = {
    "one letter": "a" * 90_000,
    "brackets": "(" * 90_000,
    "open comments": "<!-- ANCHOR:" * 7_000,
    "open and closed": "<!-- ANCHOR:a --><!-- /ANCHOR:b -->" * 2_000,
    "assignments": "api_key=" * 10_000,
    "addresses": "://a:" * 15_000,
    "dashes": "-" * 90_000,
    "spaces": " " * 80_000 + "end of it all",
    "opposites": "must not never always " * 4_000,
    "causes": "because of because " * 4_500,
    "dots": "a." * 45_000,
    "keys that end in nothing": "-----BEGIN PRIVATE KEY" * 4_000,
    "fences": "```\n" * 20_000,
    "lines of blanks": "\n \t" * 30_000,
    "combining": "e\u0301" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_fault_37_no_text_keeps_a_tool_busy(desk, root, name):
    text = HOSTILE[name]
    (root / "hostile.md").write_text(f"# Hostile\n\n{text}\n")
    began = time.monotonic()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("memory_save", {"content": text, "triggers": [text.strip()[:100] or "none"]}),
        ("memory_save", {"content": f"{text} again"}),
        ("memory_search", {"query": text[:10_000]}),
        ("memory_match_triggers", {"prompt": text[:5_000]}),
        ("memory_context", {"input": text[:10_000]}),
        ("memory_index_scan", {"force": True}),
    ]
    for tool, arguments in calls:
        try:
            await desk(tool, **arguments)
        except InvalidInput:
            assert tool == "memory_save"
    assert time.monotonic() - began < SLOW_S


BOMBS = {
    "laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "\n".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "nested": "title: " + "[" * 5_000,
    "nested maps": "title: " + "{a: " * 3_000,
    "code": "title: !!python/object/apply:os.system ['touch {marker}']",
    "merge": "a: &a {x: 1}\ntitle: {<<: [*a, *a, *a]}",
    "long": "title: '" + "x" * 60_000 + "'",
    "number": "title: " + "1_" * 20_000 + "1",
    "moment": "valid_from: " + "9" * 5_000,
}


@pytest.mark.parametrize("name", BOMBS)
async def test_fault_37_properties_of_a_file_explode_into_nothing(desk, root, name):
    marker = root / "marker"
    block = BOMBS[name].replace("{marker}", str(marker))
    (root / "bomb.md").write_text(f"---\n{block}\n---\n# Bomb\n\nThe crane is green today.\n")
    (root / "fine.md").write_text("# Fine\n\nThe winch is blue today.\n")
    began = time.monotonic()
    report = await desk("memory_index_scan")
    assert time.monotonic() - began < SLOW_S
    assert report["indexed"] + report["failed"] == 2
    assert report["indexed"] >= 1, "one bad file stops no other"
    assert not marker.exists()
    titles = [one["title"] for one in (await desk("memory_list"))["memories"]]
    assert all(len(title) <= 500 for title in titles)


def _unbounded():
    """Every text, list and mapping that any tool takes, with something that is far too long for it."""
    for tool in TOOLS.values():
        for name, field in tool.schema["properties"].items():
            if "enum" in field:
                continue
            match field.get("type"):
                case "string":
                    yield tool.name, name, "x" * 200_001
                case "array":
                    yield tool.name, name, ["x" * 20] * 100_001
                case "object":
                    yield tool.name, name, {"x": "y" * 2_000_000}


async def test_fault_37_whatever_is_given_has_an_end(desk):
    tried = 0
    for tool, name, value in _unbounded():
        enough = {
            other: "x" for other in TOOLS[tool].schema.get("required", []) if other != name
        }
        with pytest.raises(InvalidInput) as refused:
            await desk(tool, **{**enough, name: value})
        if name in TOOLS[tool].schema["properties"] and tool != "session_save":
            assert name in refused.value.message, (tool, name)
        assert len(refused.value.message) < 2_000
        tried += 1
    assert tried > 60
    with pytest.raises(InvalidInput) as refused:
        await desk("memory_search", query="x" * 10_001)
    assert refused.value.number in {"E032", "E042"}


CORE = "Zk9mQ2xw7RtY4uVb1NcX0aSdPf6H"
SECRET = f"sk-proj-{CORE}"


async def stored(desk):
    """The tables in which the secret stands, in any column, as text or as bytes."""
    found = []
    tables = await desk.rows(
        "select table_name from information_schema.tables where table_schema = current_schema()"
        " and table_type = 'BASE TABLE'"
    )
    for table in (row["table_name"] for row in tables):
        [row] = await desk.rows(
            f"select count(*) as n from {table} t where position(lower(%s) in lower(t::text)) > 0"
            " or position(%s in t::text) > 0",
            CORE,
            CORE.encode().hex(),
        )
        if row["n"]:
            found.append(table)
    return found


async def test_fault_38_no_tool_keeps_a_secret_that_it_is_told(desk, root):
    said = f"Log in with {SECRET} please."
    crane = await desk.save("The green crane.")
    other = await desk.save("The rusty bolt.")
    (root / "found.md").write_text(
        f"---\ntitle: {said}\ntrigger_phrases: ['{said}']\ntags: ['{SECRET}']\n"
        f"causal_links:\n  caused_by: ['{said}']\n---\n# Found\n\n{said}\n"
    )
    calls: list[tuple[str, dict[str, Any]]] = [
        (
            "memory_save",
            dict(content=said, title=said, tags=[SECRET], triggers=[said], thread=said, speaker=said),
        ),
        ("memory_save", {"content": f"{said} Once more."}),
        ("memory_save", {"file_path": "written.md", "content": said, "title": said, "tags": [SECRET]}),
        (
            "memory_update",
            dict(id=crane, content=said, title=said, tags=[SECRET], triggers=[said], reason=said),
        ),
        ("memory_update", {"id": crane, "content": "The green crane, without it."}),
        ("memory_link", {"source": other, "target": crane, "relation": "caused", "evidence": said}),
        (
            "memory_correct",
            dict(
                id=other,
                type="refined",
                reason=said,
                replacement=f"{said} In the end.",
                replacement_title=said,
                pattern=said,
            ),
        ),
        ("task_preflight", dict(task=said, knowledge=1, uncertainty=1, context=1, gaps=[said])),
        (
            "task_postflight",
            dict(task=said, knowledge=1, uncertainty=1, context=1, gaps_closed=[said], new_gaps=[said]),
        ),
        (
            "session_save",
            dict(
                session=desk.session,
                task=said,
                last_action=said,
                summary=said,
                pending_work=said,
                state={"note": said, SECRET: [said]},
                continue_folder=str(root),
            ),
        ),
        ("memory_index_scan", {"force": True}),
        ("checkpoint_create", {"name": desk.session}),
        ("memory_consolidate", {"apply": True}),
    ]
    shown = []
    for tool, arguments in calls:
        try:
            shown.append((await desk.ask(tool, **arguments)).model_dump_json())
        except FrasierError as refused:
            shown.append(json.dumps(refused.as_dict()))
    assert await stored(desk) == []
    assert [text for text in shown if CORE in text] == []
    (root / "found.md").unlink()
    written = {path.name for path in root.rglob("*") if path.is_file() and CORE in path.read_text()}
    assert written == set()


SECRETS = [
    SECRET,
    "voy_1a2b3c4d5e6f7g8h",
    "Authorization: Bearer abcdef0123456789ABCDEF",
    "api_key=9f8e7d6c5b4a39281706",
    "postgresql://frasier:s3cr3tpassw0rd@db/x",
    "ghp_0123456789abcdefghijABCDEFGHIJ456789",
]


@pytest.mark.parametrize("secret", SECRETS)
async def test_fault_38_a_secret_is_taken_out_and_that_is_said(desk, secret):
    data = await desk("memory_save", content=f"The deployment uses {secret} since Monday.")
    text = (await desk("memory_get", id=data["id"]))["content"]
    assert "[redacted]" in text
    assert secret.split()[-1].split("=")[-1].split("@")[0][-10:] not in text
    assert any("secret" in warning for warning in data["warnings"])


async def test_fault_38_what_a_provider_says_of_a_key_is_shown_to_nobody(db, capfd):
    with EmbeddingServer(refusing(401, f"Incorrect API key provided: {SECRET}. See key={CORE}")) as server:
        settings = MemorySettings(
            embedding=EmbeddingSettings(
                provider="openai",
                model="m",
                dimension=8,
                base_url=server.base_url,
                api_key=SecretStr(SECRET),
            )
        )
        async with open_desk(db, settings) as desk:
            await desk.save("The green crane.")
            await desk.engine.embed_due()
            shown = [
                await desk.ask("memory_search", query="green crane"),
                await desk.ask("memory_health"),
                await desk.ask("memory_save", content="The rusty bolt."),
                await desk.ask("memory_retry_embeddings"),
            ]
            assert shown[0].meta.degraded
            assert shown[0].data["results"]
            assert CORE not in "".join(envelope.model_dump_json() for envelope in shown)
            assert await stored(desk) == []
    said = capfd.readouterr()
    assert CORE not in said.out + said.err


OPERATORS = [
    '"green crane"',
    "green AND crane",
    "green & !crane | <-> (",
    "crane:*",
    "NEAR(green crane)",
    "-crane +green",
    "green^10 crane~2",
    "{green crane}: crane",
    "%green% _crane_",
    "green\\ crane'",
    "green crane'; drop table crane; --",
    "$$green$$ ${crane} {0} %s %(crane)s",
]


@pytest.mark.parametrize("query", OPERATORS)
async def test_fault_39_no_sign_in_a_question_is_an_operator(desk, query):
    crane = await desk.save("The green crane was repaired.")
    await desk.save("A windmill in the dunes.")
    for tool, arguments in {
        "memory_search": {"query": query},
        "memory_context": {"input": query},
    }.items():
        results = (await desk(tool, **arguments))["results"]
        assert [hit["id"] for hit in results][:1] == [crane]
    assert crane in await desk.found("", concepts=[query, "repaired"])


@pytest.mark.parametrize("sign", ["%", "_", "*", "%%%", "c%", "cran_"])
async def test_fault_39_no_sign_stands_for_another(desk, sign):
    await desk.save("The green crane was repaired.", triggers=["crane is stuck"])
    await desk.save("Discounts of a hundred per cent.", triggers=["100% off", "a_b"])
    called = (await desk("memory_match_triggers", prompt=f"crane {sign} stuck 100 per cent off axb {sign}"))["matches"]
    assert called == []
    [called] = (await desk("memory_match_triggers", prompt="now 100% off"))["matches"]
    assert called["phrases"] == ["100 off"]
    if any(letter.isalnum() for letter in sign):
        assert await desk.set_to(expansion=False).found(sign) == []

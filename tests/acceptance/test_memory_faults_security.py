"""Faults 36, 37 and 39, of hostile paths, hostile texts and wildcards: tried through tools and the program."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.errors import FrasierError, InvalidInput
from support.machine_speed import in_time
from support.memory_client import NO_VECTORS, open_memory_client

SLOW_S = 10.0  # on a busy machine; what is not linear takes minutes


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "memories"
    folder.mkdir()
    (tmp_path / "outside.md").write_text("# Outside\n\nThe lighthouse is none of yours.\n")
    return folder


@pytest.fixture
async def memory_client(database, root):
    async with open_memory_client(
        database, NO_VECTORS.model_copy(update={"roots": (root,)})
    ) as memory_client:
        yield memory_client


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
async def test_fault_36_no_spelling_of_a_path_leads_outside(memory_client, root, spelled):
    (root / "link.md").symlink_to(root.parent / "outside.md")
    (root / "linked").symlink_to(root.parent)
    path = spelled.format(root=root, outside=root.parent / "outside.md")
    before = sorted(root.parent.rglob("*"))
    for tool, arguments in (
        ("memory_save", {"file_path": path}),
        ("memory_save", {"file_path": path, "content": "Written by whoever wanted to."}),
        ("memory_index_scan", {"folder": path}),
        ("session_save", {"session": memory_client.session, "continue_folder": path}),
    ):
        with pytest.raises(FrasierError) as refused:
            await memory_client(tool, **arguments)
        assert "lighthouse" not in json.dumps(refused.value.as_dict())
    assert sorted(root.parent.rglob("*")) == before
    assert "none of yours" in (root.parent / "outside.md").read_text()
    assert (await memory_client("memory_list"))["total"] == 0


async def test_fault_36_a_path_from_the_database_is_trusted_no_more_than_any_other(memory_client, root):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    note = (await memory_client("memory_save", file_path="note.md"))["id"]
    outside = root.parent / "outside.md"
    for path, base in ((outside, root.parent), (f"{root}/../outside.md", root), ("/etc/passwd", "/etc")):
        await memory_client.rows(
            "update memory_files set path = %s, root = %s, mtime_ns = 0, content_hash = null,"
            " status = 'pending' where id = (select file_id from memory_items where id = %s)",
            str(path),
            str(base),
            note,
        )
        await memory_client("memory_index_scan", force=True)
        with pytest.raises(FrasierError):
            await memory_client("memory_save", file_path=str(path), force=True)
    answers = [
        await memory_client("memory_list", archived=True),
        await memory_client("memory_search", query="lighthouse root"),
        await memory_client("memory_get", id=note),
    ]
    assert "none of yours" not in json.dumps(answers)
    assert "/bin/" not in json.dumps(answers)
    assert "none of yours" in outside.read_text()


async def test_fault_36_a_file_that_becomes_a_link_is_not_followed(memory_client, root):
    (root / "note.md").write_text("# Note\n\nThe crane is green today.\n")
    await memory_client("memory_index_scan")
    (root / "note.md").unlink()
    (root / "note.md").symlink_to(root.parent / "outside.md")
    report = await memory_client("memory_index_scan", force=True)
    assert (report["indexed"], report["updated"]) == (0, 0)
    assert await memory_client.found("lighthouse") == []


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
async def test_fault_37_no_text_keeps_a_tool_busy(memory_client, root, name):
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
            await memory_client(tool, **arguments)
        except InvalidInput:
            assert tool == "memory_save"
    assert in_time(time.monotonic() - began, SLOW_S)


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
async def test_fault_37_properties_of_a_file_explode_into_nothing(memory_client, root, name):
    marker = root / "marker"
    block = BOMBS[name].replace("{marker}", str(marker))
    (root / "bomb.md").write_text(f"---\n{block}\n---\n# Bomb\n\nThe crane is green today.\n")
    (root / "fine.md").write_text("# Fine\n\nThe winch is blue today.\n")
    began = time.monotonic()
    report = await memory_client("memory_index_scan")
    assert in_time(time.monotonic() - began, SLOW_S)
    assert report["indexed"] + report["failed"] == 2
    assert report["indexed"] >= 1, "one bad file stops no other"
    assert not marker.exists()
    titles = [one["title"] for one in (await memory_client("memory_list"))["memories"]]
    assert all(len(title) <= 500 for title in titles)


def _unbounded():
    """Every text, list and mapping that any tool takes, with something that is far too long for it."""
    for tool in MEMORY_OPERATIONS.values():
        for name, field in tool.input_schema["properties"].items():
            if "enum" in field:
                continue
            match field.get("type"):
                case "string":
                    yield tool.name, name, "x" * 200_001
                case "array":
                    yield tool.name, name, ["x" * 20] * 2_001
                case "object":
                    yield tool.name, name, {"x": "y" * 2_000_000}


async def test_fault_37_whatever_is_given_has_an_end(memory_client):
    tried = 0
    for tool, name, value in _unbounded():
        enough = {
            other: "x" for other in MEMORY_OPERATIONS[tool].input_schema.get("required", []) if other != name
        }
        with pytest.raises(InvalidInput) as refused:
            await memory_client(tool, **{**enough, name: value})
        if name in MEMORY_OPERATIONS[tool].input_schema["properties"] and tool != "session_save":
            assert name in refused.value.message, (tool, name)
        assert len(refused.value.message) < 2_000
        tried += 1
    assert tried > 60
    with pytest.raises(InvalidInput) as refused:
        await memory_client("memory_search", query="x" * 10_001)
    assert refused.value.number in {"E032", "E042"}


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
async def test_fault_39_no_sign_in_a_question_is_an_operator(memory_client, query):
    crane = await memory_client.save("The green crane was repaired.")
    await memory_client.save("A windmill in the dunes.")
    for tool, arguments in {
        "memory_search": {"query": query},
        "memory_context": {"input": query},
    }.items():
        results = (await memory_client(tool, **arguments))["results"]
        assert [hit["id"] for hit in results][:1] == [crane]
    assert crane in await memory_client.found("", concepts=[query, "repaired"])


@pytest.mark.parametrize("sign", ["%", "_", "*", "%%%", "c%", "cran_"])
async def test_fault_39_no_sign_stands_for_another(memory_client, sign):
    await memory_client.save("The green crane was repaired.", triggers=["crane is stuck"])
    await memory_client.save("Discounts of a hundred per cent.", triggers=["100% off", "a_b"])
    called = (
        await memory_client("memory_match_triggers", prompt=f"crane {sign} stuck 100 per cent off axb {sign}")
    )["matches"]
    assert called == []
    [called] = (await memory_client("memory_match_triggers", prompt="now 100% off"))["matches"]
    assert called["phrases"] == ["100 off"]
    if any(letter.isalnum() for letter in sign):
        assert await memory_client.set_to(expansion=False).found(sign) == []

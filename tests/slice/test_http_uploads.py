"""Uploads over HTTP: what is stored, for whom, how much, and under which name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from frasier.interfaces.http.uploads import UsedUploads
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.memory import Caller
from frasier.store import Database
from frasier.work import purge_uploads, uploads_of
from support.brain import MemoryApi, open_memory_api

FOUNDER = Caller(name="token:boss", scopes=("shared",), founder=True)


@pytest.fixture
async def api(db: Database) -> AsyncIterator[MemoryApi]:
    async with open_memory_api(db, MEMORY_OPERATIONS) as opened:
        opened.client.headers.update(await opened.caller("boss", "shared", founder=True))
        yield opened


async def send(api: MemoryApi, name: str, content: bytes) -> httpx2.Response:
    return await api.client.post("/api/v1/uploads", params={"name": name}, content=content)


async def test_a_document_is_stored_listed_and_deleted(api: MemoryApi) -> None:
    sent = await send(api, "offer.md", b"# An offer")
    assert sent.status_code == 201, sent.text
    assert (sent.json()["name"], sent.json()["bytes"]) == ("offer.md", 10)
    assert (await send(api, "offer.md", b"# An offer")).json() == sent.json(), "the same is one upload"
    assert (await api.get("uploads")).json() == {"uploads": [sent.json()]}
    address = f"/api/v1/uploads/{sent.json()['id']}"
    assert (await api.client.delete(address)).status_code == 204
    assert (await api.client.delete(address)).status_code == 404
    assert (await api.client.delete("/api/v1/uploads/none")).status_code == 404


async def send_form(api: MemoryApi, *files: tuple[str, bytes], **fields: str) -> httpx2.Response:
    sent = [("file", (name, content)) for name, content in files]
    return await api.client.post("/api/v1/uploads", files=sent, data=fields)


async def waiting(api: MemoryApi) -> list[str]:
    return [one["name"] for one in (await api.get("uploads")).json()["uploads"]]


async def test_the_files_of_a_form_are_stored_under_their_own_names(api: MemoryApi) -> None:
    large = b"x" * 3_000_000  # more than is held in memory
    sent = await send_form(api, ("offer.md", b"# An offer"), ("../prices.csv", large))
    assert sent.status_code == 201, sent.text
    stored = sent.json()["uploads"]
    assert [(one["name"], one["bytes"]) for one in stored] == [("offer.md", 10), ("prices.csv", len(large))]
    assert (await api.get("uploads")).json() == sent.json()


async def test_a_form_is_stored_whole_or_not_at_all(api: MemoryApi) -> None:
    assert (await send_form(api, ("offer.md", b"a"), ("empty.md", b""))).status_code == 422
    assert (await send_form(api, ("offer.md", b"a"), ("..", b"b"))).status_code == 422
    assert await waiting(api) == []


async def test_a_form_is_bounded(api: MemoryApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frasier.interfaces.http.uploads.UPLOAD_BYTES_MAX", 1_000)
    monkeypatch.setattr("frasier.interfaces.http.form_files.FORM_BYTES_MAX", 5_000)
    monkeypatch.setattr("frasier.interfaces.http.form_files.FORM_FILES_MAX", 3)
    assert (await send_form(api, ("a.md", b"a" * 1_001))).status_code == 413
    assert (await send_form(api, *[(f"{n}.md", b"a" * 990) for n in range(3)])).status_code == 201
    assert (await send_form(api, *[(f"{n}.md", b"b") for n in range(4)])).status_code == 400
    declared = await send_form(api, ("a.md", b"a" * 6_000))

    async def chunks() -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\n'
        for _ in range(10):
            yield b"a" * 1_000
        yield b"\r\n--x--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    streamed = await api.client.post("/api/v1/uploads", content=chunks(), headers=headers)
    assert (declared.status_code, streamed.status_code) == (413, 413)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", b"--x--"),
        ("multipart/form-data; boundary=x", b"nothing of a form"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x; charset=hex", b"--x\r\n\xff: \xff\r\n\r\n\r\n--x--\r\n"),
        ("multipart/form-data; boundary=\xff", b""),
    ],
)
async def test_a_broken_form_is_refused(api: MemoryApi, content_type: str, body: bytes) -> None:
    headers = {b"Content-Type": content_type.encode("latin-1")}
    refused = await api.client.post("/api/v1/uploads", content=body, headers=headers)
    assert refused.status_code in {400, 422}, refused.text
    assert refused.json()["code"] == "invalid_input"
    assert await waiting(api) == []


async def test_a_form_that_does_not_arrive_is_given_up(db: Database) -> None:
    async with open_memory_api(db, MEMORY_OPERATIONS, body_s=0.05) as api:
        headers = await api.caller("boss", "shared", founder=True)

        async def slow() -> AsyncIterator[bytes]:
            yield (
                b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\n' + b"a" * 2_000_000
            )
            await asyncio.Event().wait()

        late = await api.client.post(
            "/api/v1/uploads",
            content=slow(),
            headers=headers | {"Content-Type": "multipart/form-data; boundary=x"},
        )
        assert (late.status_code, late.headers["connection"]) == (408, "close")


async def test_a_form_holds_nothing_but_files(api: MemoryApi) -> None:
    assert (await send_form(api, ("a.md", b"a"), note="hello")).status_code == 400
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    empty = await api.client.post("/api/v1/uploads", content=b"--x--\r\n", headers=headers)
    assert empty.status_code in {400, 422}
    named = await api.client.post("/api/v1/uploads?name=b.md", files={"file": ("a.md", b"a")})
    assert named.status_code == 422
    member = await api.caller("scout", "shared")
    refused = await api.client.post("/api/v1/uploads", files={"file": ("a.md", b"a")}, headers=member)
    assert refused.status_code == 403
    assert await waiting(api) == []


async def test_only_the_founder_uploads_and_sees_only_their_own(api: MemoryApi) -> None:
    await send(api, "offer.md", b"# An offer")
    member = await api.caller("scout", "shared")
    refused = await api.client.post("/api/v1/uploads?name=a.md", content=b"a", headers=member)
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    other = await api.caller("other-boss", "shared", founder=True)
    assert (await api.get("uploads", **other)).json() == {"uploads": []}


async def test_size_and_number_are_bounded(api: MemoryApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frasier.interfaces.http.uploads.UPLOAD_BYTES_MAX", 1_000)
    monkeypatch.setattr("frasier.work.uploads.UPLOADS_MAX", 2)
    assert (await send(api, "a.md", b"a" * 1_001)).status_code == 413
    assert (await send(api, "a.md", b"")).status_code == 422
    assert [(await send(api, f"{number}.md", b"a")).status_code for number in range(3)] == [201, 201, 409]
    assert (await api.client.post("/api/v1/uploads", content=b"a")).status_code == 422


async def test_files_are_used_once_by_what_succeeds(api: MemoryApi, db: Database, tmp_path: Path) -> None:
    ids = [UUID((await send(api, "offer.md", text)).json()["id"]) for text in (b"one", b"two")]
    (tmp_path / "first").mkdir()
    with pytest.raises(InvalidInput):
        async with UsedUploads(api.engine, FOUNDER) as uploads:
            await uploads.write(ids, tmp_path / "first")
            raise InvalidInput("Something else is wrong.")
    (tmp_path / "second").mkdir()
    async with UsedUploads(api.engine, FOUNDER) as uploads:
        paths = await uploads.write(ids, tmp_path / "second")
    assert [path.name for path in paths] == ["offer.md", "offer (2).md"]
    assert [path.read_bytes() for path in paths] == [b"one", b"two"]
    async with db.transaction() as tx:
        assert await uploads_of(tx, FOUNDER.name) == []
    async with UsedUploads(api.engine, FOUNDER) as uploads:
        with pytest.raises(NotFound, match=r"There is no upload"):
            await uploads.write(ids, tmp_path)


async def test_files_of_others_cannot_be_opened(api: MemoryApi, tmp_path: Path) -> None:
    sent = UUID((await send(api, "offer.md", b"one")).json()["id"])
    stranger = Caller(name="token:stranger", scopes=("shared",), founder=True)
    async with UsedUploads(api.engine, stranger) as uploads:
        with pytest.raises(NotFound):
            await uploads.write([sent], tmp_path)


async def test_after_a_day_an_upload_is_gone(api: MemoryApi, db: Database) -> None:
    sent = UUID((await send(api, "offer.md", b"one")).json()["id"])
    async with db.transaction() as tx:
        await tx.execute(
            "update work_uploads set created_at = now() - interval '25 hours' where id = %s", (sent,)
        )
    assert (await api.get("uploads")).json() == {"uploads": []}
    await purge_uploads(db)
    async with db.transaction() as tx:
        assert await (await tx.execute("select 1 from work_uploads")).fetchall() == []


@pytest.mark.parametrize("name", ["", "..", "/", "\u202e"])
async def test_what_is_left_without_a_name_is_refused(api: MemoryApi, name: str) -> None:
    refused = await send(api, name, b"a")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input"), refused.text


async def test_no_file_replaces_another_whose_name_is_numbered(api: MemoryApi, tmp_path: Path) -> None:
    sent = [("offer (2).md", b"1"), ("offer.md", b"2"), ("offer.md", b"3"), ("offer.md", b"4")]
    ids = [UUID((await send(api, name, text)).json()["id"]) for name, text in sent]
    async with UsedUploads(api.engine, FOUNDER) as uploads:
        paths = await uploads.write(ids, tmp_path)
    assert [path.name for path in paths] == ["offer (2).md", "offer.md", "offer (3).md", "offer (4).md"]
    assert [path.read_bytes() for path in paths] == [b"1", b"2", b"3", b"4"]

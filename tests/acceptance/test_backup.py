"""A backup as README describes it: `frasier db backup` writes it, and `frasier db restore` fills a new home from it."""

from __future__ import annotations

import stat
from pathlib import Path

from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram
from support.cli_states import planned_mission
from support.embedded_places import open_place


def test_a_home_is_backed_up_and_restored_into_a_new_one_with_the_programs_that_come_with_frasier():
    with open_place() as place:
        own, backup = FrasierProgram(place / "home", None), place / "backups" / "monday"
        own.home.mkdir(mode=0o755)
        text = "The boiler is serviced in May."
        own("memory", "save", text, PATH="")
        (own.home / "settings.env").write_text("FRASIER_TIME_ZONE=Europe/Berlin\n")
        written = own.json("db", "backup", str(backup), PATH="")
        assert written["files"] == ["frasier.dump", "settings.env"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in backup.iterdir()} == {0o600}
        assert list(backup.parent.iterdir()) == [backup]
        new = FrasierProgram(place / "new", None)
        new.home.mkdir(mode=0o755)
        assert new.json("db", "restore", str(backup), PATH="")["files"] == written["files"]
        assert text in new("memory", "recall", "boiler").out
        assert (new.home / "settings.env").read_text() == "FRASIER_TIME_ZONE=Europe/Berlin\n"


async def test_with_its_keys_a_restored_backup_verifies_and_signs_as_before(
    db, home: Path, frasier: FrasierProgram, server: EmbeddedServer, owner_url: str, tmp_path: Path
) -> None:
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    frasier("subscriptions", "add", "ops", "https://example.org/events")
    with frasier.running("heartbeat") as process:  # seals the events
        while not (frasier.home / "seal.key").exists() or not everything_is_sealed(frasier):
            assert process.poll() is None
        process.terminate()
        process.communicate(timeout=60)
    backup, copy = tmp_path / "backup", f"backup_{new_id().hex}"
    written = frasier.json("db", "backup", str(backup), FRASIER_DATABASE__OWNER_URL=owner_url)
    assert written["files"] == ["frasier.dump", "seal.key", "subscriptions.key"]
    server.create_database(copy)
    there = {
        "FRASIER_HOME": str(tmp_path / "restored"),
        "FRASIER_DATABASE_URL": server.url("frasier_app", copy),
        "FRASIER_DATABASE__OWNER_URL": server.url("frasier_owner", copy),
    }
    assert frasier.json("db", "restore", str(backup), **there)["files"] == written["files"]
    assert frasier.json("events", "verify", **there)["verified"] is True
    checks = {one["name"]: one for one in frasier.json("doctor", **there)["checks"]}
    assert "signed with the key of this home" in checks["subscriptions"]["found"]
    server.drop_database(copy)


def test_neither_a_backup_nor_a_restore_overwrites_anything_and_a_failed_one_leaves_nothing(
    frasier: FrasierProgram, server: EmbeddedServer, owner_url: str, tmp_path: Path
):
    backup, owner = tmp_path / "backup", {"FRASIER_DATABASE__OWNER_URL": owner_url}
    fresh = f"backup_{new_id().hex}"
    server.create_database(fresh)
    nothing = {"FRASIER_DATABASE__OWNER_URL": server.url("frasier_owner", fresh)}
    empty = frasier.json("db", "backup", str(backup), code=3, **nothing)["error"]
    assert empty["message"] == "The database has no tables of Frasier yet."
    server.drop_database(fresh)
    refused = frasier.json("db", "backup", str(backup), code=7)["error"]
    assert refused["message"].startswith("pg_dump failed: ")
    assert "permission denied" in refused["message"]
    nowhere = {"FRASIER_DATABASE__OWNER_URL": f"{owner_url}&port=1"}
    failed = frasier.json("db", "backup", str(backup), code=7, **nowhere)["error"]
    assert "The database does not answer" in failed["message"]
    assert [path for path in tmp_path.iterdir() if "backup" in path.name] == []
    frasier("db", "backup", str(backup), **owner)
    before = (backup / "frasier.dump").read_bytes()
    again = frasier.json("db", "backup", str(backup), code=3, **owner)["error"]
    assert "is there already" in again["message"]
    assert (backup / "frasier.dump").read_bytes() == before
    full = frasier.json("db", "restore", str(backup), code=3, **owner)["error"]
    assert "already has the tables" in full["message"]
    (backup / "seal.key").write_bytes(b"a" * 32)
    (frasier.home / "seal.key").write_bytes(b"b" * 32)
    other = frasier.json("db", "restore", str(backup), code=3, **owner)["error"]
    assert "another key" in other["message"]
    assert (
        "is not a backup" in frasier.json("db", "restore", str(tmp_path), code=3, **owner)["error"]["message"]
    )


def everything_is_sealed(frasier: FrasierProgram) -> bool:
    verified = frasier.json("events", "verify")
    return verified["sealed_events"] == verified["events"]

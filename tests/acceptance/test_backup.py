"""A backup as README describes it: a dump of the database, and the keys of the home."""

from __future__ import annotations

import shutil
from pathlib import Path

from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram
from support.cli_states import planned_mission
from support.database_copies import run_restore


async def test_with_its_keys_a_restored_dump_verifies_and_signs_as_before(
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
    copy = f"backup_{new_id().hex}"
    server.create_database(copy)
    address = ("db", "url", "--owner", "--show-password")
    owner = frasier.json(*address, FRASIER_DATABASE__OWNER_URL=owner_url)["url"]
    run_restore(owner, server.url("postgres", copy))
    elsewhere = tmp_path / "restored"
    elsewhere.mkdir(mode=0o700)
    for name in ("seal.key", "subscriptions.key"):
        shutil.copy2(frasier.home / name, elsewhere / name)
    there = {"FRASIER_HOME": str(elsewhere), "FRASIER_DATABASE_URL": server.url("frasier_app", copy)}
    assert frasier.json("events", "verify", **there)["verified"] is True
    checks = {one["name"]: one for one in frasier.json("doctor", **there)["checks"]}
    assert "signed with the key of this home" in checks["subscriptions"]["found"]
    server.drop_database(copy)


def everything_is_sealed(frasier: FrasierProgram) -> bool:
    verified = frasier.json("events", "verify")
    return verified["sealed_events"] == verified["events"]

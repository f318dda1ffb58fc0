"""A full disk under the database, or under the home, is told as that, and leaves nothing behind."""

from __future__ import annotations

from frasier.store.embedded import EmbeddedServer, default_root
from support.cli import FrasierProgram, read_until
from support.cli_states import planned_mission
from support.small_disk import fill, small_disk


def test_a_database_on_a_full_disk_says_so_and_serves_again_once_there_is_room(alone: FrasierProgram) -> None:
    disk = alone.home / "disk"
    disk.mkdir()
    with small_disk(disk, "200m"):
        home = disk / "home"
        assert alone("status", FRASIER_HOME=str(home)).code == 0
        root = default_root(home, explicit=True)
        assert root.is_relative_to(home)
        with EmbeddedServer(root, home=home) as server:
            cache = next((root / "data" / "base").glob("*/pg_internal.init"))
            filler = fill(disk)
            for file in cache.parent.parent.glob("*/pg_internal.init"):
                file.unlink()
            fill(disk)
            refused = alone("status", FRASIER_HOME=str(home), code=7).err
            assert "No space left on device" in refused
            assert "Make room on the disk of the database" in refused
            assert "FRASIER_DATABASE_URL" not in refused
            filler.unlink()
            assert alone("status", FRASIER_HOME=str(home)).code == 0
            assert server.running


async def test_a_home_on_a_full_disk_is_told_in_a_line_and_keeps_nothing_half_written(
    db, home, frasier: FrasierProgram
) -> None:
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    disk = frasier.home / "disk"
    disk.mkdir()
    with small_disk(disk, "64k"):
        filler = fill(disk)
        with frasier.running("heartbeat", FRASIER_HOME=str(disk)) as heartbeat:
            line = read_until(heartbeat.stderr, '"seal"')
        assert '"job.failed"' in line
        assert "No space left on device" in line
        assert "frames" not in line
        assert list(disk.iterdir()) == [filler]

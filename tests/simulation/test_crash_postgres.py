"""kill -9 of PostgreSQL at the named fault points: the program starts it again and finishes the mission by itself."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from frasier.store.embedded import EmbeddedServer, default_root
from support.crash import MISSION_POINTS, Drill, connect_for_checks, expire_sending, poll
from support.mission_invariants import Summary, check_invariants, doubtful_calls
from support.scratch import SCRATCH
from support.warm_start import WarmStart

IN_FLIGHT = {"llm.intent_committed", "llm.reply_received"}
USUAL = {"claim.committed", "llm.reply_received", "deliver.before_commit", "outbox.sent"}


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that the system user of PostgreSQL can enter."""
    place = Path(tempfile.mkdtemp(prefix="frasier-crash-", dir=SCRATCH))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.fixture(scope="module")
def own_server(place: Path) -> Iterator[EmbeddedServer]:
    """The embedded server of the home in `place`, as safe against power cuts as a user's; the test is a user of it."""
    server = EmbeddedServer(default_root(place / "frasier", explicit=True))
    server.start()
    yield server
    server.stop()
    server.release()


@pytest.mark.parametrize(
    "point",
    [pytest.param(point, marks=[] if point in USUAL else pytest.mark.slow) for point in MISSION_POINTS],
)
def test_the_program_starts_it_again_and_finishes(
    point: str, warm: WarmStart, place: Path, own_server: EmbeddedServer, undisturbed: Summary
) -> None:
    own_server.ensure()
    own_server.drop_database("frasier")  # the program makes a new one
    for seal in place.glob("frasier/seal*"):
        seal.unlink()
    drill = Drill(warm, place, None)
    working = drill.run(f"{point}:stop")
    working.until_stopped()
    before = own_server.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)

    working.wake()
    if point == "outbox.sent":
        poll(lambda: _left_sending_or_all_sent(own_server.url()), "the effect whose confirmation was lost")
        expire_sending(own_server.url())
    ended = working.until_ended()

    assert ended.code == 0, ended
    assert own_server.pid not in {None, before}
    mission = ended.report["mission"]
    assert check_invariants(drill, own_server.url(), mission) == undisturbed
    with connect_for_checks(own_server.url()) as connection:
        # A reply that outlived the database is stored as soon as it is back, and then nothing is in doubt.
        assert len(doubtful_calls(connection, mission)) <= (point in IN_FLIGHT)


def _left_sending_or_all_sent(url: str) -> bool:
    """A server that is back before the confirmation is tried again loses none."""
    effects = "select bool_or(state = 'sending') or bool_and(state = 'sent') as reached from store_effects"
    try:
        with connect_for_checks(url) as connection:
            row = connection.execute(effects).fetchone()
            return bool(row and row["reached"])
    except psycopg.OperationalError:
        return False

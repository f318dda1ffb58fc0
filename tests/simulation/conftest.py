"""Fixtures of the crash drills: processes that start quickly, and the result of an undisturbed mission."""

from __future__ import annotations

import pytest

from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from support.crash import Drill
from support.mission_invariants import Summary, check_invariants
from support.warm_start import WarmStart, warm_start

TEMPLATE = "frasier_template"


@pytest.fixture(scope="session")
def warm() -> WarmStart:
    """A starter of the program that skips the second of imports."""
    return warm_start()


@pytest.fixture(scope="session")
def undisturbed(warm: WarmStart, server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """The summary of a mission that runs without a fault."""
    name = f"t_{new_id().hex}"
    server.create_database(name, template=TEMPLATE)
    drill = Drill(warm, tmp_path_factory.mktemp("undisturbed"), server.url("frasier_app", name))
    ended = drill.run().until_ended()
    assert ended.code == 0, ended
    summary = check_invariants(drill, server.url("frasier_app", name), ended.report["mission"])
    server.drop_database(name)
    return summary

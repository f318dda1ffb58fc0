"""Secret keys in files of the home, which no database holds."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_key(path: Path) -> bytes:
    """Read a key of 32 random bytes from a file of mode 0600; create it at first use."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        write_private(fresh, secrets.token_bytes(32))
        try:
            os.link(fresh, path)  # the first process to link has created the key
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_bytes()


def write_private(path: Path, content: bytes) -> None:
    """Create a file that only its owner can read. What cannot be written whole, as on a full disk, is removed."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise

"""Read the files of a folder as they are: no link is followed, nothing is run, and the bounds come first."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from frasier.org.skills.third_party.package import (
    DEPTH_MAX,
    FILE_BYTES_MAX,
    FILES_MAX,
    TOTAL_BYTES_MAX,
    PackageFile,
    check_path,
    refuse,
)


def read_folder(folder: Path) -> tuple[PackageFile, ...]:
    """Return the files of a folder by path; raise InvalidInput for anything in it that is no plain file."""
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise refuse(f"There is no folder {folder}.", "Give the folder that holds the SKILL.md.")
    files: list[PackageFile] = []
    try:
        for path, folders, names, descriptor in os.fwalk(root, follow_symlinks=False):
            place = Path(path).relative_to(root)
            if len(place.parts) >= DEPTH_MAX:
                raise refuse(
                    f"The folder has more than {DEPTH_MAX} levels.", "Give the folder of one skill alone."
                )
            read = (_read(str(place / name), name, descriptor) for name in sorted([*folders, *names]))
            files += [file for file in read if file is not None]
            if len(files) > FILES_MAX or sum(len(file.content) for file in files) > TOTAL_BYTES_MAX:
                raise refuse(
                    f"The folder has more than {FILES_MAX} files or {TOTAL_BYTES_MAX >> 20} MB.",
                    "Give the folder of one skill alone.",
                )
    except OSError as error:
        raise refuse(
            f"The folder {folder} cannot be read: {error.strerror or error}.", "Check its permissions."
        ) from error
    return tuple(sorted(files, key=lambda file: file.path))


def _read(path: str, name: str, folder: int) -> PackageFile | None:
    """Read a file by its name in an open folder; None for a folder."""
    check_path(path.encode("utf-8", "replace").decode())
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(found.st_mode):
        return None
    _check(path, found)
    # The file may have been exchanged meanwhile: what is opened is checked again.
    opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(opened, "rb") as file:
        _check(path, os.fstat(file.fileno()))
        return PackageFile(path=path, content=file.read(FILE_BYTES_MAX + 1))


def _check(path: str, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise refuse(f"{path} is a link.", "Put the file itself into the folder.")
    if not stat.S_ISREG(status.st_mode):
        raise refuse(f"{path} is a device, a pipe or a socket.", "A skill has plain files only.")
    if status.st_nlink > 1:
        raise refuse(
            f"{path} has another name elsewhere (a hard link).", "Copy the folder, and give the copy."
        )
    if status.st_size > FILE_BYTES_MAX:
        raise refuse(f"{path} is larger than {FILE_BYTES_MAX >> 10} KB.", "A skill is short; leave it out.")

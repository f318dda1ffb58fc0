"""The check of an Office archive before anything of it is unpacked."""

from __future__ import annotations

import io
import zipfile

from frasier.kernel.errors import SourceError

_UNPACKED_BYTES_MAX = 100_000_000
_RATIO_MAX = 200
_RATIO_FROM_BYTES = 1_000_000  # small parts of repetitive XML pack that well in honest files
_ENTRIES_MAX = 2_000
_PROLOGUE_BYTES = 4_096


def check_archive(data: bytes, *, part: str, kind: str) -> None:
    """Refuse archives that would unpack excessively, that define entities, or that lack the part of their kind.

    Raises SourceError, whose message is a predicate.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise SourceError("is a damaged archive") from error
    with archive:
        entries = archive.infolist()
        if len(entries) > _ENTRIES_MAX:
            raise SourceError(f"is an archive of {len(entries):,} entries; {_ENTRIES_MAX:,} are allowed")
        # The archive module never unpacks more of an entry than is declared here.
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > _UNPACKED_BYTES_MAX:
            raise SourceError(f"unpacks to {unpacked:,} bytes; {_UNPACKED_BYTES_MAX:,} are allowed")
        for entry in entries:
            ratio = entry.file_size / max(entry.compress_size, 1)
            if entry.file_size > _RATIO_FROM_BYTES and ratio > _RATIO_MAX:
                raise SourceError(
                    f"holds a part that is packed {ratio:,.0f} to 1; {_RATIO_MAX} to 1 is allowed"
                )
            if entry.flag_bits & 1:
                raise SourceError("is protected by a password")
            if entry.filename.endswith((".xml", ".rels")):
                with archive.open(entry) as opened:
                    if b"<!DOCTYPE" in opened.read(_PROLOGUE_BYTES):
                        raise SourceError(f"defines XML entities, as {kind} never does")
        if part not in archive.namelist():
            raise SourceError(f"is not {kind}, in spite of its name")

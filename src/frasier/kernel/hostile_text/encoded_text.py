"""Encoded pieces of a text, decoded within bounds, so that the rules can look into them."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

_BYTES_MAX = 256 * 1024
_PIECES_MAX = 400
_PRINTABLE_FROM = 0.9
_PROGRAMS = (
    b"MZ",
    b"\x7fELF",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"PK\x03\x04",
    b"#!/",
    b"Rar!",
    b"7z\xbc\xaf",
)

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{4}[\s\\\"']{0,4}){5,}[A-Za-z0-9+/_-]{0,4}={0,2}"
)
_BASE32 = re.compile(r"(?<![A-Z0-9])[A-Z2-7]{24,}={0,6}(?![A-Za-z0-9])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}[\s:,]?){16,}(?![0-9A-Za-z])")
_BYTE_ESCAPES = re.compile(r"(?:\\x[0-9a-fA-F]{2}|0x[0-9a-fA-F]{2}[,\s]*){6,}")
_UNICODE_ESCAPES = re.compile(r"(?:\\u\{?[0-9a-fA-F]{4,6}\}?){5,}")
_OCTAL_ESCAPES = re.compile(r"(?:\\[0-3]?[0-7]{2}){6,}")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}){6,}|(?:[A-Za-z]{0,40}%[0-9a-fA-F]{2}){12,}[A-Za-z]{0,40}")
_ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};\s*){5,}")
_NUMBERS = re.compile(r"(?:\b\d{2,3}\b[\s,;]+(?:chr\(|\+)?\s*){11,}\b\d{2,3}\b")
_CHR_CALLS = re.compile(r"(?:(?:chr|fromCharCode|chr\$)\(\s*\d{2,3}\s*\)\s*[+.,&]*\s*){6,}", re.IGNORECASE)
_BITS = re.compile(r"(?:\b[01]{8}\b\s*){8,}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedPiece:
    """A decoded piece: where it stood, what it is, and its text; `is_program` if it is no text but can be run."""

    start: int
    written: str
    encoding: str
    text: str
    is_program: bool = False

    @property
    def has_sentences(self) -> bool:
        """Whether it reads like words of a language rather than like data."""
        words = _LETTERS.findall(self.text)
        return len(words) >= 4 and self.text.count(" ") >= 3


def find_encoded(text: str) -> Iterator[DecodedPiece]:
    """Yield the pieces of `text` that decode to text or to a program; at most some hundreds."""
    found = 0
    for encoding, pattern, decode in _ENCODINGS:
        for match in pattern.finditer(text):
            found += 1
            if found > _PIECES_MAX:
                return
            data = decode(match[0])
            piece = _piece(match, encoding, data) if data else None
            if piece is not None:
                yield piece


def mirrored_and_rotated(text: str) -> Iterator[tuple[str, str]]:
    """Yield the whole text backwards, and with its letters rotated by 13, each with the name of that."""
    yield "backwards", "\n".join(line[::-1] for line in text.split("\n"))
    yield "rot13", codecs.encode(text, "rot13")


def _piece(match: re.Match[str], encoding: str, data: bytes) -> DecodedPiece | None:
    data = _inflated(data)
    if data.startswith(_PROGRAMS) and not data.startswith(b"#!/"):
        return DecodedPiece(
            start=match.start(), written=match[0], encoding=encoding, text="", is_program=True
        )
    text = _as_text(data)
    if text is None:
        return None
    return DecodedPiece(
        start=match.start(), written=match[0], encoding=encoding, text=text, is_program=text.startswith("#!/")
    )


def _as_text(data: bytes) -> str | None:
    encodings = ("utf-16-le", "utf-8") if data[1:2] == b"\0" else ("utf-8",)
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        printable = sum(char.isprintable() or char in "\n\t\r" for char in text)
        if len(text) >= 6 and printable >= _PRINTABLE_FROM * len(text):
            return text
    return None


def _inflated(data: bytes) -> bytes:
    if data[:2] not in {b"\x1f\x8b", b"\x78\x9c", b"\x78\x01", b"\x78\xda"}:
        return data
    try:
        return zlib.decompressobj(47).decompress(data, _BYTES_MAX)
    except zlib.error:
        return data


def _base64(written: str) -> bytes:
    plain = re.sub(r"[\s\\\"']", "", written).replace("-", "+").replace("_", "/").rstrip("=")[:_BYTES_MAX]
    plain = plain[: len(plain) - 1] if len(plain) % 4 == 1 else plain
    return _or_nothing(base64.b64decode, plain + "=" * (-len(plain) % 4))


def _base32(written: str) -> bytes:
    plain = written.rstrip("=")
    return _or_nothing(base64.b32decode, plain + "=" * (-len(plain) % 8))


def _hex(written: str) -> bytes:
    return _or_nothing(binascii.unhexlify, re.sub(r"[\s:,]|\\x|0x", "", written))


def _or_nothing(decode: Callable[[str], bytes], written: str) -> bytes:
    try:
        return decode(written)
    except (ValueError, binascii.Error):
        return b""


def _code_points(written: str) -> bytes:
    return "".join(
        chr(int(number, 16))
        for number in re.findall(r"u\{?([0-9a-fA-F]{4,6})", written)
        if int(number, 16) < 0xD800
    ).encode()


def _octal(written: str) -> bytes:
    return bytes(int(number, 8) for number in re.findall(r"\\([0-7]{2,3})", written))


def _decimal(written: str) -> bytes:
    return bytes(number for number in map(int, re.findall(r"\d{2,3}", written)) if number < 256)


def _bits(written: str) -> bytes:
    return bytes(int(number, 2) for number in written.split())


def _entities(written: str) -> bytes:
    return html.unescape(written).encode("utf-8", "replace")


_ENCODINGS = (
    ("base64", _BASE64, _base64),
    ("base32", _BASE32, _base32),
    ("hexadecimal", _HEX, _hex),
    ("byte escapes", _BYTE_ESCAPES, _hex),
    ("Unicode escapes", _UNICODE_ESCAPES, _code_points),
    ("octal escapes", _OCTAL_ESCAPES, _octal),
    ("percent encoding", _PERCENT, unquote_to_bytes),
    ("character references", _ENTITIES, _entities),
    ("character codes", _NUMBERS, _decimal),
    ("character codes", _CHR_CALLS, _decimal),
    ("bits", _BITS, _bits),
)

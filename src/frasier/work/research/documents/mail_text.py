"""The text of e-mails: decoded headers, the body, and the attached documents that can be read, each under a heading.

The body is the plain text, else the HTML. What is not read is named in the notes. The parts are found by the standard
library's parser; headers are decoded here, because that of the library raises errors of many kinds on damaged ones.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import mimetypes
import quopri
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import policy
from email.errors import (
    CloseBoundaryNotFoundDefect,
    InvalidBase64CharactersDefect,
    InvalidBase64LengthDefect,
    InvalidBase64PaddingDefect,
    MissingHeaderBodySeparatorDefect,
    NoBoundaryInMultipartDefect,
    StartBoundaryNotFoundDefect,
)
from email.message import Message
from email.parser import BytesParser
from pathlib import PurePosixPath
from typing import Protocol, cast

from frasier.kernel.errors import SourceError
from frasier.kernel.text import shorten
from frasier.work.research.documents.decoding import decode_text
from frasier.work.research.documents.file_types import choose_media
from frasier.work.research.documents.text_cleanup import one_line
from frasier.work.research.documents.types import DocumentLimits, Media
from frasier.work.research.documents.untrusted.parsed import Parsed

# Headers of transport and of programs; all others are read, as X-Order-Total is.
_TECHNICAL_HEADER = re.compile(
    r"(?:received|return-path|delivered-to|message-id|in-reply-to|references|mime-version|user-agent|precedence"
    r"|auto-submitted|authentication-results|dkim-signature|domainkey-signature|content-.*|list-.*|arc-.*|thread-.*"
    r"|received-.*|x-(?:mailer|priority|spam|virus|ms|google|gm|originating|received|authentication|forwarded|mozilla"
    r"|uidl|account|proofpoint|amazon|ses|mailgun|sg|mc)\b.*)",
    re.IGNORECASE,
)
_MARKING_HEADERS = ("from", "received", "mime-version")
_CONTAINERS_MAX = 200
_PARTS_MAX = 200
_DEPTH_MAX = 5
_MESSAGES_MAX = 500
_NAME_CHARS_MAX = 120
_ENCODINGS = frozenset(
    {"", "7bit", "8bit", "binary", "base64", "quoted-printable", "x-uuencode", "uuencode", "uue", "x-uue"}
)
_DAMAGES = (
    CloseBoundaryNotFoundDefect,
    InvalidBase64CharactersDefect,
    InvalidBase64LengthDefect,
    InvalidBase64PaddingDefect,
    MissingHeaderBodySeparatorDefect,
    NoBoundaryInMultipartDefect,
    StartBoundaryNotFoundDefect,
)
_DAMAGE_NOTE = "the mail is damaged or incomplete; parts of its text may be missing or garbled"

_CONTAINER = re.compile(rb"multipart/|message/rfc822", re.IGNORECASE)
_ENCODED_WORD = re.compile(r"=\?([\w.:-]{1,40})(?:\*[\w-]*)?\?([bBqQ])\?([^?\s]*)\?=")
_ENCODED_WORDS = re.compile(rf"(?:{_ENCODED_WORD.pattern}\s+(?==\?))*{_ENCODED_WORD.pattern}")
_MAILBOX_LINE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\d{4}[^\r\n]*\r?\n")
_ESCAPED_LINE = re.compile(rb"^>(>*From )", re.MULTILINE)
_SIGNATURE = "-- "


class PartReader(Protocol):
    """The reader of the other kinds of documents."""

    def __call__(self, data: bytes, media: Media, charset: str | None) -> Parsed: ...


def parse_mail(data: bytes, *, limits: DocumentLimits, read_part: PartReader) -> Parsed:
    """Read an e-mail. It has no title but its file name: mails of one thread share their subject. A file without the
    headers of one is read as text.

    Raises SourceError, whose message is a predicate.
    """
    message = _parse_message(data)
    if not any(header in message for header in _MARKING_HEADERS):
        return read_part(data, Media.TEXT, None)
    reading = _MailReading(limits=limits, read_part=read_part)
    with _damage_refused():
        text = reading.read(message, depth=0)
    return Parsed(title="", text=text, notes=tuple(dict.fromkeys(reading.notes)))


def parse_mailbox(data: bytes, *, limits: DocumentLimits, read_part: PartReader) -> Parsed:
    """Read a file in mbox form: each message is a section. Raises SourceError, whose message is a predicate."""
    starts = list(_MAILBOX_LINE.finditer(data))
    if not starts or data[: starts[0].start()].strip():
        raise SourceError("is not a mailbox in mbox form; save its messages as .eml files")
    reading = _MailReading(limits=limits, read_part=read_part)
    ends = [*(start.start() for start in starts[1:]), len(data)]
    sections = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        if number > _MESSAGES_MAX or reading.is_full:
            reading.notes.append(f"only the first {number - 1:,} of {len(starts):,} messages were read")
            break
        message = _parse_message(_ESCAPED_LINE.sub(rb"\1", data[start.end() : end]))
        with _damage_refused():
            heading = f"## {_subject(message) or f'Message {number}'}"
            sections.append(f"{heading}\n\n{reading.read(message, depth=0)}")
    return Parsed(title="", text="\n\n".join(sections), notes=tuple(dict.fromkeys(reading.notes)))


@contextmanager
def _damage_refused() -> Iterator[None]:
    """Turn what the library raises on the parameters of damaged headers into a SourceError."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise SourceError(f"has a damaged header ({error})") from error


def _parse_message(data: bytes) -> Message:
    containers = len(_CONTAINER.findall(data))
    if containers > _CONTAINERS_MAX:  # the parser's time grows with the depth of nesting
        raise SourceError(f"has {containers:,} parts with parts; {_CONTAINERS_MAX} are allowed")
    try:
        return BytesParser(policy=policy.compat32).parsebytes(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as error:
        raise SourceError("is nested too deeply") from error


@dataclass(slots=True)
class _MailReading:
    """The reading of one file: its notes, and the bounds that its messages share."""

    limits: DocumentLimits
    read_part: PartReader
    notes: list[str] = field(default_factory=list)
    parts: int = 0
    chars: int = 0
    ends_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends_at = time.monotonic() + self.limits.parse_timeout_s

    @property
    def is_full(self) -> bool:
        """Whether a bound is reached, so that no further part is read."""
        return (
            self.parts >= _PARTS_MAX
            or self.chars > self.limits.document_chars_max
            or time.monotonic() > self.ends_at
        )

    def read(self, message: Message, *, depth: int) -> str:
        """Return the text of a message: headers, body, and attachments."""
        headers = [
            f"{name}: {_decoded_header(value)}"
            for name, value in message.raw_items()
            if not _TECHNICAL_HEADER.fullmatch(name)
        ]
        bodies, attachments = [], []
        for number, part in enumerate(_leaves(message), start=1):
            if _is_attachment(part):
                attachments.append(self._attachment(part, number, depth=depth))
            else:
                bodies.append(self._body(part))
        if any(isinstance(defect, _DAMAGES) for part in message.walk() for defect in part.defects):
            self.notes.append(_DAMAGE_NOTE)
        return "\n\n".join(filter(None, ("\n".join(headers), *bodies, *attachments)))

    def _body(self, part: Message) -> str:
        media = Media.HTML if part.get_content_type() == "text/html" else Media.TEXT
        try:
            text = self._part_text(part, media, "the text").text
        except SourceError as refused:
            self.notes.append(f"the text was not read: it {refused.message}")
            return ""
        if str(part.get_param("format", "")).lower() == "flowed":
            text = _unwrapped(text, is_joined=str(part.get_param("delsp", "")).lower() == "yes")
        return text.replace("\r\n", "\n").strip("\n")

    def _attachment(self, part: Message, number: int, *, depth: int) -> str:
        """Return an attached document under its name; one that is not read becomes a note."""
        name = _file_name(part) or f"part {number} ({part.get_content_type()})"
        try:
            if part.get_content_type() == "message/rfc822" and part.is_multipart():
                title, text = "Attached message", self._nested(_only_child(part), depth=depth)
            else:
                title, text = f"Attachment: {name}", self._document(part, name, depth=depth)
        except SourceError as refused:
            self.notes.append(f"the attachment {name} was not read: it {refused.message}")
            return ""
        return f"## {title}\n\n{text}"

    def _document(self, part: Message, name: str, *, depth: int) -> str:
        suffix = PurePosixPath(name).suffix
        if not suffix or not _file_name(part):
            suffix = mimetypes.guess_extension(part.get_content_type()) or ""
        data = _payload(part)
        media = choose_media(f"attachment{suffix}", data)
        if media is Media.EMAIL:
            return self._nested(_parse_message(data), depth=depth)
        if media is Media.MBOX:
            raise SourceError("is a mailbox; save it as a file of its own")
        return self._part_text(part, media, name).text.strip()

    def _nested(self, message: Message, *, depth: int) -> str:
        if depth == _DEPTH_MAX:
            raise SourceError(f"is nested more than {_DEPTH_MAX} messages deep")
        self._count()
        return self.read(message, depth=depth + 1)

    def _part_text(self, part: Message, media: Media, name: str) -> Parsed:
        self._count()
        encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
        if encoding not in _ENCODINGS:
            raise SourceError(f"is encoded in an unknown way ({shorten(one_line(encoding), 40)})")
        data = _payload(part)
        if not data.strip():
            return Parsed(title="", text="")
        try:
            charset = part.get_content_charset()
        except ValueError as error:
            raise SourceError(f"has a damaged charset ({error})") from error
        parsed = self.read_part(data, media, charset)
        self.chars += len(parsed.text)
        self.notes.extend(f"{name}: {note}" for note in parsed.notes)
        return parsed

    def _count(self) -> None:
        if self.is_full:
            raise SourceError(
                "comes after as many parts, characters or seconds as one file of mails may take"
            )
        self.parts += 1


def _leaves(part: Message) -> Iterator[Message]:
    """Yield the parts that have no parts, in order; of alternatives the plain text, else the HTML."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        yield part
        return
    children = cast("list[Message]", part.get_payload())
    if part.get_content_subtype() != "alternative":
        for child in children:
            yield from _leaves(child)
        return
    chosen = _best_alternative(children)
    for child in children:
        yield from (leaf for leaf in _leaves(child) if child is chosen or _is_attachment(leaf))


def _best_alternative(children: Sequence[Message]) -> Message | None:
    for kind in ("text/plain", "text/html"):
        for child in children:
            # Not by _leaves, which asks this again: the time would double with each level of nesting.
            if any(part.get_content_type() == kind and _payload(part).strip() for part in child.walk()):
                return child
    return children[0] if children else None


def _is_attachment(part: Message) -> bool:
    is_text = part.get_content_maintype() in {"text", "multipart"}  # a multipart here is a damaged one
    return not is_text or part.get_content_disposition() == "attachment" or bool(_file_name(part))


def _only_child(part: Message) -> Message:
    return cast("list[Message]", part.get_payload())[0]


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _file_name(part: Message) -> str:
    try:
        name = _decoded_header(part.get_filename() or "")
    except ValueError as error:
        raise SourceError(f"has a damaged file name of an attachment ({error})") from error
    return shorten(PurePosixPath(name.replace("\\", "/")).name, _NAME_CHARS_MAX)


def _subject(message: Message) -> str:
    values = (value for name, value in message.raw_items() if name.lower() == "subject")
    return _decoded_header(next(values, ""))


def _decoded_header(value: str) -> str:
    """Return a header on one line, with its encoded words and its bytes beyond ASCII decoded."""
    text = _decoded(value.encode("utf-8", "surrogateescape"), None)
    return one_line(_ENCODED_WORDS.sub(_decoded_words, text))


def _decoded_words(match: re.Match[str]) -> str:
    words = _ENCODED_WORD.findall(match[0])
    try:
        # A character may begin in one word and end in the next.
        return "".join(
            _decoded(b"".join(_word_bytes(encoding, text) for _, encoding, text in group), charset)
            for charset, group in itertools.groupby(words, key=lambda word: word[0].lower())
        )
    except binascii.Error:
        return match[0]


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode()
    if encoding in "qQ":
        return quopri.decodestring(data, header=True)
    return base64.b64decode(data + b"=" * (-len(data) % 4), validate=True)


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return decode_text(data, charset)[0]
    except SourceError:
        return data.decode("utf-8", "replace")


def _unwrapped(text: str, *, is_joined: bool) -> str:
    """Join the lines of flowed paragraphs: one goes on where it ends in a blank, which `is_joined` removes."""
    paragraphs: list[list[str]] = []
    open_level: int | None = None
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.lstrip(">")
        level = len(line) - len(content)
        content = content.removeprefix(" ")
        flows = content.endswith(" ") and content != _SIGNATURE
        shown = content[:-1] if flows and is_joined else content
        if open_level == level and content != _SIGNATURE:
            paragraphs[-1].append(shown)
        else:
            paragraphs.append([">" * level + " " * bool(level), shown])
        open_level = level if flows else None
    return "\n".join("".join(parts).rstrip() for parts in paragraphs)

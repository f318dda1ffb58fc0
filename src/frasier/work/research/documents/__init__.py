"""Local documents as sources: folders are read to plain text, and texts are divided into passages.

    read_sources(roots, limits)  folders and files → Scan: documents, problems, what was skipped
    extract_text(data, media)    the bytes of one file of a known kind → its text
    choose_media(path, data)     which reader a file gets
    passages(text)               a document's text → passages, each an exact substring
    ParserProcess                the confined process that reads PDF, DOCX and HTML

Everything here blocks and touches no database: call it in a thread.
"""

from frasier.work.research.documents.chunks import Chunk, passages
from frasier.work.research.documents.extraction import extract_text
from frasier.work.research.documents.media import choose_media
from frasier.work.research.documents.parser_process import ParserProcess
from frasier.work.research.documents.reading import read_sources
from frasier.work.research.documents.types import Document, DocumentLimits, Media, Problem, Scan
from frasier.work.research.documents.untrusted.parsed import Parsed

__all__ = [
    "Chunk",
    "Document",
    "DocumentLimits",
    "Media",
    "Parsed",
    "ParserProcess",
    "Problem",
    "Scan",
    "choose_media",
    "extract_text",
    "passages",
    "read_sources",
]

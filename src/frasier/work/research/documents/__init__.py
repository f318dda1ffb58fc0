"""Local documents as sources: folders are read to plain text, and texts are divided into passages.

    read_sources(roots, limits)  folders and files → Scan: documents, problems, what was skipped
    extract_text(data, media)    the bytes of one file of a known kind → its text
    choose_media(path, data)     which reader a file gets
    passages(text)               a document's text → passages, each an exact substring
    ParserProcess                the confined process that reads PDF, DOCX and HTML

Everything here blocks and touches no database: call it in a thread.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.research.documents.chunks import Chunk as Chunk, passages as passages
    from frasier.work.research.documents.extraction import extract_text as extract_text
    from frasier.work.research.documents.file_types import choose_media as choose_media
    from frasier.work.research.documents.parser_process import ParserProcess as ParserProcess
    from frasier.work.research.documents.read_folders import read_sources as read_sources
    from frasier.work.research.documents.types import (
        Document as Document,
        DocumentLimits as DocumentLimits,
        Media as Media,
        Problem as Problem,
        Scan as Scan,
    )
    from frasier.work.research.documents.untrusted.parsed import Parsed as Parsed
else:
    lazy_exports(__name__)

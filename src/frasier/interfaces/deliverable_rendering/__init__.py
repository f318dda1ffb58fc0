"""The rendering of deliverables: Markdown, HTML, DOCX, tables and provenance, from what is stored of a mission."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.deliverable_rendering.annotated_markdown import annotated_tokens, parse_markdown
    from frasier.interfaces.deliverable_rendering.answer_language import in_own_language
    from frasier.interfaces.deliverable_rendering.folder_contents import file_names, folder_contents
    from frasier.interfaces.deliverable_rendering.html_body import HtmlBody, NoteStyle, quotation
    from frasier.interfaces.deliverable_rendering.messages import ENGLISH
    from frasier.interfaces.deliverable_rendering.outline import (
        Heading,
        TextOutline,
        plain_text,
        read_outline,
    )
    from frasier.interfaces.deliverable_rendering.provenance import Dossier, read_dossier
    from frasier.interfaces.deliverable_rendering.published_text import (
        CitedSource,
        PublishedText,
        TextNotice,
        read_published_text,
        read_version_text,
    )
    from frasier.interfaces.deliverable_rendering.safe_markdown import inert
    from frasier.interfaces.deliverable_rendering.statement_sheet import as_piece
else:
    lazy_exports(__name__)

"""Post-mortems as tables of figures, and these as Markdown and as one page of HTML."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.post_mortem_rendering.figures import FigureTable
    from frasier.interfaces.post_mortem_rendering.html_page import render_html
    from frasier.interfaces.post_mortem_rendering.markdown import render_markdown
    from frasier.interfaces.post_mortem_rendering.report import Report, report_of
else:
    lazy_exports(__name__)

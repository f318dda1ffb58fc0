"""The main text of an HTML page as plain Markdown, its title and its links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import lxml.html
import trafilatura
from lxml import etree
from trafilatura.settings import Document

from frasier.kernel.errors import SourceError
from frasier.kernel.source_places import PlaceMark

from .html_render import render_tree
from .parsed import Parsed

_LINKS_MAX = 500
_LINK_CHARS_MAX = 2_000
_SHORT_CHARS = 1_500
_POOR_CHARS = 500
_INVISIBLE = etree.XPath(
    "//script|//style|//noscript|//template|//svg|//iframe|//object|//comment()|//processing-instruction()"
    "|//*[@hidden]|//*[@aria-hidden='true' and not(self::body) and not(self::html)]"
)
_STYLED = etree.XPath("//*[@style]")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)
_LINKS = etree.XPath("//a[@href]")
_HEADINGS = etree.XPath("//h1|//h2|//h3|//h4|//h5|//h6")
# The names of a heading: its own, of an anchor in it, or of the section that it begins.
_NAMES = etree.XPath("@id | .//@id | .//a/@name | parent::section/@id")
_FRAGMENT = re.compile(r"[\w.:~!$&'()*+,;=@%/?-]{1,120}")
_TITLES = (
    etree.XPath("string(//meta[@property='og:title']/@content)"),
    etree.XPath("string(//head/title)"),
    etree.XPath("string(//h1)"),
)


def parse_html(data: bytes, *, url: str) -> Parsed:
    """Parse the page in `data`, which is UTF-8. `url` is its address, or empty for a file, which has no links.

    Raises SourceError, whose message is a predicate.
    """
    try:
        tree = lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except etree.ParserError as error:
        raise SourceError("holds no text") from error
    title = next(filter(None, (" ".join(str(find(tree)).split()) for find in _TITLES)), "")
    links = _read_links(tree, url) if url else ()
    _drop_invisible(tree)
    fragments = list(_fragments(tree))
    text = _read_text(tree)
    if not text:
        raise SourceError("holds no text (a page may need a browser to show any)")
    return Parsed(title=title, text=text, links=links, marks=tuple(_marks(text, fragments)))


def _fragments(tree: lxml.html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield title and fragment of each heading that a link can lead to, in the page's order."""
    for heading in _HEADINGS(tree):
        fragment = next((str(name) for name in _NAMES(heading) if _FRAGMENT.fullmatch(str(name))), "")
        title = " ".join("".join(heading.itertext()).split())
        if title and fragment:
            yield title, fragment


def _marks(text: str, fragments: Sequence[tuple[str, str]]) -> Iterator[PlaceMark]:
    """Yield the places of the headings, with the innermost fragment that they are in; some may have been left out."""
    at = 0
    sections: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("#"):
            continue
        title = line.lstrip("#")
        level = len(line) - len(title)
        position = next((i for i in range(at, len(fragments)) if fragments[i][0] == title.strip()), None)
        sections = [section for section in sections if section[0] < level]
        if position is not None:
            at = position + 1
            sections.append((level, fragments[position][1]))
        if sections or at:
            yield PlaceMark(line=number, fragment=sections[-1][1] if sections else "")


def _drop_invisible(tree: lxml.html.HtmlElement) -> None:
    """Remove invisible content: it is no evidence, and may be aimed at machines."""
    hidden = [node for node in _STYLED(tree) if _HIDING.search(node.get("style", ""))]
    for node in [*_INVISIBLE(tree), *hidden]:
        if node.getparent() is not None:
            node.drop_tree()


def _read_text(tree: lxml.html.HtmlElement) -> str:
    """Extract the article. Short pages are read whole, because they may have none."""
    whole = render_tree(tree.body if tree.body is not None else tree)
    if len(whole) <= _SHORT_CHARS:
        return whole
    extracted = trafilatura.bare_extraction(
        tree, include_comments=False, include_tables=True, include_formatting=False, favor_recall=True
    )
    if not isinstance(extracted, Document) or extracted.body is None:
        return whole
    text = render_tree(extracted.body)
    return text if len(text) >= _POOR_CHARS else whole


def _read_links(tree: lxml.html.HtmlElement, url: str) -> tuple[str, ...]:
    tree.make_links_absolute(url, resolve_base_href=True, handle_failures="discard")
    hrefs = (str(anchor.get("href", "")).strip() for anchor in _LINKS(tree))
    web = (
        link for link in hrefs if link.startswith(("http://", "https://")) and len(link) <= _LINK_CHARS_MAX
    )
    return tuple(dict.fromkeys(link.split("#", 1)[0] for link in web))[:_LINKS_MAX]

"""A published text as one page of HTML that needs nothing else: no script, no image, no other file. Pure."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from frasier.interfaces.deliverable_rendering.annotated_markdown import annotated_tokens
from frasier.interfaces.deliverable_rendering.html_body import HtmlBody, quotation
from frasier.interfaces.deliverable_rendering.messages import Messages
from frasier.interfaces.deliverable_rendering.outline import Heading, TextOutline, plain_text, read_outline
from frasier.interfaces.deliverable_rendering.published_text import CitedSource, PublishedText

_CONTENTS_MIN = 4
_CONTENTS_RANK = 2


def render_html(text: PublishedText) -> str:
    """Return the page."""
    outline = read_outline(annotated_tokens(text), title=text.title)
    body = HtmlBody(outline, text.sources, messages=text.messages)
    language = f' lang="{text.language}"' if text.language else ""
    parts = [
        f'<!DOCTYPE html>\n<html lang="{text.messages.language}">\n',
        _head(plain_text(outline.title) or text.title),
        f"<body>\n<header>\n<h1{language}>{body.title()}</h1>\n",
        *_notices(text),
        "</header>\n",
        _contents(text, outline, language),
        f"<main>\n<article{language}>\n{body.body()}</article>\n",
        _doubtful(text),
        _sources(text),
        _left_out(text),
        f"</main>\n{_origin(text)}</body>\n</html>\n",
    ]
    return "".join(parts)


@cache
def _style() -> str:
    return files("frasier.interfaces.deliverable_rendering").joinpath("page.css").read_text("utf-8")


def _head(title: str) -> str:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="Frasier">\n<title>{escape(title)}</title>\n'
        f"<style>{_style()}</style>\n</head>\n"
    )


def _notices(text: PublishedText) -> Iterator[str]:
    for notice in text.notices:
        yield f'<p class="notice"><strong>{escape(notice.label)}.</strong> {escape(notice.text)}</p>\n'
    if text.verdict:
        target = "#doubtful" if text.doubtful else "#sources"
        yield f'<p class="verdict"><a href="{target}">{escape(text.headline)}</a></p>\n'


def _contents(text: PublishedText, outline: TextOutline, language: str) -> str:
    listed = [heading for heading in outline.headings.values() if heading.rank <= _CONTENTS_RANK]
    if len(listed) < _CONTENTS_MIN:
        return ""
    entries = [_entry(heading, language) for heading in listed]
    ours = [("doubtful", "doubtful_statements")] if text.doubtful else []
    ours += [("sources", "sources")] if text.sources else []
    entries += [
        f'<li class="rank-1"><a href="#{anchor}">{text.messages.text(name)}</a></li>\n'
        for anchor, name in ours
    ]
    return f'<nav aria-label="{text.messages.text("contents")}">\n<ul>\n{"".join(entries)}</ul>\n</nav>\n'


def _entry(heading: Heading, language: str) -> str:
    link = f'<a href="#{escape(heading.anchor)}"{language}>{escape(heading.text)}</a>'
    return f'<li class="rank-{heading.rank}">{link}</li>\n'


def _doubtful(text: PublishedText) -> str:
    if not text.verdict:
        return ""
    items = []
    for position, statement in enumerate(text.doubtful, start=1):
        reasons = "".join(
            f'<li class="reason">{escape(text.messages.stored(reason))}</li>' for reason in statement.findings
        )
        passages = "".join(
            f"<li>{quotation(passage, text.messages, with_number=True)}</li>"
            for passage in statement.passages
        )
        items.append(
            f'<li id="doubtful-{position}"><p class="doubted">{escape(statement.text)}</p>\n'
            f"<ul>{reasons}{passages}</ul></li>\n"
        )
    title = text.messages.text("doubtful_statements" if items else "verification")
    listed = f"<ol>\n{''.join(items)}</ol>\n" if items else ""
    return _section("doubtful", title, f"<p>{escape(text.verdict)}</p>\n{listed}")


def _sources(text: PublishedText) -> str:
    if not text.sources:
        return ""
    listed = "".join(_source(source, text.messages) for source in text.sources)
    return _section("sources", text.messages.text("sources"), f'<ul class="sources">\n{listed}</ul>\n')


def _source(source: CitedSource, messages: Messages) -> str:
    passages = "".join(f"<li>{quotation(passage, messages)}</li>\n" for passage in source.passages)
    quoted = f"<ul>\n{passages}</ul>\n" if passages else ""
    return (
        f'<li id="source-{source.number}"><p><span class="number">[{source.number}]</span> '
        f"<cite>{escape(source.title)}</cite> {_place(source.uri)}</p>\n{quoted}</li>\n"
    )


def _place(uri: str) -> str:
    if uri.lower().startswith(("http://", "https://")):
        return f'<a class="uri" href="{escape(uri)}" rel="noopener noreferrer">{escape(uri)}</a>'
    return f'<span class="uri">{escape(uri)}</span>'


def _left_out(text: PublishedText) -> str:
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in text.left_out)
    return _section("left-out", text.messages.text("left_out"), lines) if lines else ""


def _section(name: str, title: str, content: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n<h2 id="{name}-title">{title}</h2>\n'
        f"{content}</section>\n"
    )


def _origin(text: PublishedText) -> str:
    if not text.mission:
        return ""
    at = text.completed_at
    day = f'<time datetime="{at.isoformat()}">{at:%Y-%m-%d}</time>'
    origin = text.messages.text("origin", mission=escape(text.mission), day=day)
    file = text.messages.text("provenance", file='<span class="uri">provenance.json</span>')
    return f"<footer>\n<p>{origin} {file}</p>\n</footer>\n"

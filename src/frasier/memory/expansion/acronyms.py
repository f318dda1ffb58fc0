"""Common acronyms of software work and their long forms, in both directions. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from frasier.kernel.tokenizer import tokenize

ACRONYMS: dict[str, str] = {
    "acl": "access control list",
    "adr": "architecture decision record",
    "ai": "artificial intelligence",
    "api": "application programming interface",
    "auth": "authentication",
    "aws": "amazon web services",
    "cd": "continuous delivery",
    "ci": "continuous integration",
    "cli": "command line interface",
    "config": "configuration",
    "cpu": "central processing unit",
    "crud": "create read update delete",
    "csrf": "cross site request forgery",
    "css": "cascading style sheets",
    "csv": "comma separated values",
    "db": "database",
    "ddl": "data definition language",
    "dns": "domain name system",
    "dom": "document object model",
    "e2e": "end to end",
    "env": "environment",
    "eta": "estimated time of arrival",
    "fk": "foreign key",
    "fsrs": "free spaced repetition scheduler",
    "fts": "full text search",
    "gpu": "graphics processing unit",
    "html": "hypertext markup language",
    "http": "hypertext transfer protocol",
    "ide": "integrated development environment",
    "io": "input output",
    "json": "javascript object notation",
    "jwt": "json web token",
    "k8s": "kubernetes",
    "kpi": "key performance indicator",
    "llm": "large language model",
    "mcp": "model context protocol",
    "ml": "machine learning",
    "mrr": "mean reciprocal rank",
    "mvp": "minimum viable product",
    "nlp": "natural language processing",
    "oauth": "open authorization",
    "ocr": "optical character recognition",
    "okr": "objectives and key results",
    "orm": "object relational mapping",
    "pk": "primary key",
    "poc": "proof of concept",
    "pr": "pull request",
    "prd": "product requirements document",
    "qa": "quality assurance",
    "rag": "retrieval augmented generation",
    "rbac": "role based access control",
    "redos": "regular expression denial of service",
    "regex": "regular expression",
    "repo": "repository",
    "rest": "representational state transfer",
    "rfc": "request for comments",
    "rpc": "remote procedure call",
    "rrf": "reciprocal rank fusion",
    "sdk": "software development kit",
    "sla": "service level agreement",
    "sql": "structured query language",
    "sse": "server sent events",
    "ssh": "secure shell",
    "sso": "single sign on",
    "tdd": "test driven development",
    "tls": "transport layer security",
    "ttl": "time to live",
    "ui": "user interface",
    "url": "uniform resource locator",
    "ux": "user experience",
    "vm": "virtual machine",
    "xss": "cross site scripting",
    "yaml": "yet another markup language",
}


def acronym_of(word: str, term: str) -> str:
    """Return the acronym that a word, its stem or its singular is; empty if none is."""
    return next((spelling for spelling in (word, term, word.removesuffix("s")) if spelling in ACRONYMS), "")


def short_forms(terms: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the acronyms whose long form occurs in `terms`, each with the terms of the long form."""
    for acronym, long_form in _long_forms().items():
        size = len(long_form)
        if any(tuple(terms[at : at + size]) == long_form for at in range(len(terms) - size + 1)):
            yield acronym, long_form


@cache
def _long_forms() -> dict[str, tuple[str, ...]]:
    return {acronym: tuple(tokenize(long_form)) for acronym, long_form in ACRONYMS.items()}

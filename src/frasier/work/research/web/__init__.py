"""The web as a source: searching it, and reading pages of it without being led astray.

    search_provider(settings)  the search service that a setting chooses, or None
    Fetcher(settings)          fetch(url, ledger) → Page: only offered, public and allowed pages, bounded
    UrlLedger                  which addresses were offered, and by whom
    WebLinks(fetcher)      check(link): whether a link that a task names resolves
    links_in(text)             the addresses that stand in a directive
    normalise_url(text)        the one spelling of an address

Nothing here touches a database, and nothing may be called while a transaction is open.
"""

from frasier.work.research.web.engines import search_provider
from frasier.work.research.web.fetch import Fetcher
from frasier.work.research.web.ledger import UrlLedger
from frasier.work.research.web.links import WebLinks
from frasier.work.research.web.page import Page
from frasier.work.research.web.search import SearchHit, SearchProvider
from frasier.work.research.web.settings import WebSettings
from frasier.work.research.web.urls import links_in, normalise_url

__all__ = [
    "Fetcher",
    "Page",
    "SearchHit",
    "SearchProvider",
    "UrlLedger",
    "WebLinks",
    "WebSettings",
    "links_in",
    "normalise_url",
    "search_provider",
]

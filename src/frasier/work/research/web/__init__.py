"""The web as a source: search, and guarded reading of pages.

    search_provider(settings)  the search service that a setting chooses, or None
    Fetcher(settings)          fetch(url, ledger) → WebPage: only offered, public and allowed pages, bounded
    UrlLedger                  the addresses that may be fetched, and their origins
    WebLinks(get_fetcher)  check(link): whether a link of a task resolves
    links_in(text)             the addresses in a directive
    normalise_url(text)        the canonical form of an address

Nothing here touches a database, and nothing may be called while a transaction is open.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.research.web.search_engines import search_provider
    from frasier.work.research.web.fetch import Fetcher
    from frasier.work.research.web.url_allowlist import UrlLedger
    from frasier.work.research.web.link_checker import WebLinks
    from frasier.work.research.web.page import WebPage
    from frasier.work.research.web.search import SearchHit, SearchProvider
    from frasier.work.research.web.settings import WebSettings
    from frasier.work.research.web.urls import links_in
else:
    lazy_exports(__name__)

"""Fetching pages from a real server on the loopback address: what is read, what is refused, and what is bounded."""

import asyncio
import gzip
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from frasier.kernel.errors import InvariantBroken, SourceError
from frasier.kernel.transaction_guard import transaction_open
from frasier.work.research.web import Fetcher, UrlLedger, WebSettings
from frasier.work.research.web.ip_addresses import AddressGuard
from frasier.work.research.web.pinned_transport import PinnedTransport
from support.document_files import make_pdf
from support.web_server import Reply, WebServer, drip, page, plain, redirect

PROSE = "<p>" + "The river rises in the hills and carries water to the plains below. " * 8 + "</p>"


class Time:
    """A clock that only moves when somebody sleeps."""

    def __init__(self):
        self.now = 1_000.0
        self.slept = []

    def clock(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(round(seconds, 3))
        self.now += seconds


@pytest.fixture
async def server():
    async with WebServer() as running:
        yield running


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def open_fetcher(server, time):
    @asynccontextmanager
    async def opened(**overrides):
        resolver = overrides.pop("resolver", None)
        settings = {
            "allow_private_hosts": frozenset({server.authority}),
            "min_delay_s_per_host": 0.0,
            **overrides,
        }
        extra = {"resolver": resolver} if resolver else {}
        async with Fetcher(WebSettings(**settings), clock=time.clock, sleep=time.sleep, **extra) as fetcher:
            yield fetcher

    return opened


@pytest.fixture
def fetch(open_fetcher):
    async def fetch_one(url, **overrides):
        ledger = UrlLedger()
        ledger.allow([url], "the directive")
        async with open_fetcher(**overrides) as fetcher:
            return await fetcher.fetch(url, ledger)

    return fetch_one


@pytest.fixture
def refusal(fetch, told):
    async def refused(url, **overrides):
        with pytest.raises(SourceError) as error:
            await fetch(url, **overrides)
        told.append(error.value.hint)
        return error.value.message

    return refused


@pytest.fixture
def told():
    """What each refusal said that helps."""
    return []


# What is read


async def test_a_page_gives_text_title_links_and_provenance(server, fetch):
    server.routes["/a"] = page(
        f"<h1>Rivers</h1>{PROSE}<a href='b?utm_source=x#y'>b</a><a href='mailto:a@b.c'>m</a>"
    )
    found = await fetch(server.url("/a#part"))
    assert found.url == found.final_url == server.url("/a")
    assert (found.title, found.status, found.content_type) == ("A page", 200, "text/html")
    assert found.text.startswith("# Rivers\n\nThe river rises")
    assert found.links == (server.url("/b"),)
    assert len(found.sha256) == 64


async def test_the_agent_names_itself_and_sends_no_cookie_back(server, open_fetcher):
    server.routes["/a"] = page(PROSE, **{"Set-Cookie": "id=1; Path=/"})
    ledger = UrlLedger()
    ledger.allow([server.url("/a")], "the directive")
    async with open_fetcher() as fetcher:
        await fetcher.fetch(server.url("/a"), ledger)
        await fetcher.fetch(server.url("/a"), ledger)
    for request in server.requests:
        assert request.headers["user-agent"] == "Frasier/0.1 (+research agent)"
        assert "cookie" not in request.headers


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply("# Notes\n\nIn Markdown.", content_type="text/markdown"), "# Notes\n\nIn Markdown."),
        (Reply("Just text.", content_type="text/plain"), "Just text."),
        (Reply("Größe".encode("latin-1"), content_type="text/plain; charset=ISO-8859-1"), "Größe"),
        (Reply('{"answer": 42}', content_type="application/json"), '{"answer": 42}'),
        (Reply('{"a": 1}', content_type="application/ld+json"), '{"a": 1}'),
        (Reply("name,year\nAda,1843\n", content_type="text/csv"), "name: Ada; year: 1843"),
        (Reply(make_pdf("From a PDF"), content_type="application/pdf"), "From a PDF"),
        (Reply(make_pdf("From a PDF"), content_type="application/octet-stream"), "From a PDF"),
        (Reply(make_pdf("From a PDF"), content_type="text/html"), "From a PDF"),
        (Reply("<!doctype html><p>Untold</p>", content_type=None), "Untold"),
        (Reply(gzip.compress(b"<p>Packed</p>"), headers={"Content-Encoding": "gzip"}), "Packed"),
    ],
)
async def test_readable_kinds_are_read(server, fetch, reply, text):
    server.routes["/x"] = reply
    assert (await fetch(server.url("/x"))).text == text


async def test_a_page_without_title_is_named_by_its_address(server, fetch):
    server.routes["/reports/annual%20report.txt"] = Reply("text", content_type="text/plain")
    assert (await fetch(server.url("/reports/annual%20report.txt"))).title == "annual report"


# What is refused


async def test_an_address_that_nobody_offered_is_refused_without_a_request(server, open_fetcher):
    async with open_fetcher() as fetcher:
        with pytest.raises(SourceError, match="neither the directive, nor a search, nor a page"):
            await fetcher.fetch(server.url("/a"), UrlLedger())
    assert server.requests == []


async def test_the_links_of_a_page_that_was_read_may_be_fetched(server, open_fetcher):
    server.routes["/a"] = page(f"{PROSE}<a href='/b'>next</a>")
    server.routes["/b"] = page(PROSE, title="Next")
    ledger = UrlLedger()
    ledger.allow([server.url("/a")], "the directive")
    async with open_fetcher() as fetcher:
        await fetcher.fetch(server.url("/a"), ledger)
        assert (await fetcher.fetch(server.url("/b"), ledger)).title == "Next"
    assert ledger.why(server.url("/b")) == f"link of {server.url('/a')}"


async def test_nothing_is_fetched_while_a_transaction_is_open(server, open_fetcher):
    async with open_fetcher() as fetcher:
        with transaction_open(), pytest.raises(InvariantBroken, match="a web fetch"):
            await fetcher.fetch(server.url("/a"), UrlLedger())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.0.0.1",
        "192.168.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "localhost",
    ],
)
async def test_private_hosts_are_refused(refusal, host):
    assert (await refusal(f"http://{host}/")).endswith("is refused: it is on a private network.")


async def test_the_founder_names_host_and_port_together(server, refusal):
    message = await refusal(server.url("/a"), allow_private_hosts=frozenset({"127.0.0.1:1"}))
    assert message == f"{server.authority} is refused: only the ports 80 and 443 are allowed."
    assert server.requests == []


async def test_a_name_with_one_private_address_is_refused(refusal):
    async def resolver(host, port):
        return ("93.184.216.34", "192.168.0.1")

    assert await refusal("http://rebind.example/", resolver=resolver) == (
        "rebind.example is refused: it is on a private network."
    )


@pytest.mark.parametrize("answer", [(), OSError("no such host")])
async def test_a_name_that_does_not_resolve_is_reported(refusal, answer):
    async def resolver(host, port):
        if isinstance(answer, OSError):
            raise answer
        return answer

    assert (await refusal("http://nowhere.example/", resolver=resolver)).startswith(
        "nowhere.example is unknown"
    )


async def test_the_checked_address_is_the_one_connected_to(server, fetch):
    """The name is public in the world, and means this server here: the request must go by address, with its name."""

    async def resolver(host, port):
        return ("127.0.0.1",)

    server.routes["/a"] = plain("Prose.")
    authority = f"wiki.example:{server.port}"
    found = await fetch(
        f"http://{authority}/a", resolver=resolver, allow_private_hosts=frozenset({authority})
    )
    assert found.final_url == f"http://{authority}/a"
    assert {request.headers["host"] for request in server.requests} == {authority}


async def test_a_name_that_changes_its_meaning_after_the_check_is_refused(server, refusal):
    """The first answers are public; what is asked again when connecting is checked again."""
    answers = iter([("93.184.216.34",)])

    async def resolver(host, port):
        return next(answers, ("127.0.0.1",))

    message = await refusal("http://rebind.example/", resolver=resolver, respect_robots=False)
    assert message == "rebind.example is refused: it is on a private network."


async def test_tls_verifies_the_name_although_the_address_is_connected_to():
    sent = []

    def answer(request):
        sent.append(request)
        return httpx2.Response(200)

    async def resolver(host, port):
        return ("2606:4700::1111", "93.184.216.34")

    transport = PinnedTransport(AddressGuard(frozenset(), resolver), httpx2.MockTransport(answer))
    async with httpx2.AsyncClient(transport=transport) as client:
        await client.get("https://example.com/a?b=c")
    assert str(sent[0].url) == "https://[2606:4700::1111]/a?b=c"
    assert sent[0].headers["host"] == "example.com"
    assert sent[0].extensions["sni_hostname"] == "example.com"


async def test_the_next_checked_address_is_tried_where_one_does_not_connect():
    def answer(request):
        if request.url.host == "93.184.216.34":
            raise httpx2.ConnectError("refused", request=request)
        return httpx2.Response(200, text=request.url.host)

    async def resolver(host, port):
        return ("93.184.216.34", "93.184.216.35")

    transport = PinnedTransport(AddressGuard(frozenset(), resolver), httpx2.MockTransport(answer))
    async with httpx2.AsyncClient(transport=transport) as client:
        assert (await client.get("http://example.com/")).text == "93.184.216.35"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            Reply(b"\x89PNG\r\n\x1a\n", content_type="image/png"),
            "is image/png, which cannot be read as text.",
        ),
        (Reply("body {}", content_type="text/css"), "is text/css, which cannot be read as text."),
        (Reply(b"\x7fELF" + bytes(40), content_type="text/plain"), "is a program."),
        (Reply(b"a\x00b" * 50), "holds binary data, not text."),
        (Reply("<html></html>", content_type="application/pdf"), "is not a PDF, although its host says so."),
        (Reply("<p></p>"), "holds no text (a page may need a browser to show any)."),
        (Reply(b""), "is empty."),
        (Reply("gone", status=410), "answered 410."),
        (Reply("oops", status=500), "answered 500."),
        (Reply(b"x", headers={"Content-Encoding": "br"}), "sent data that cannot be unpacked."),
    ],
)
async def test_what_cannot_be_read_is_named(server, refusal, reply, reason):
    server.routes["/x"] = reply
    assert await refusal(server.url("/x")) == f"{server.url('/x')} {reason}"


async def test_a_host_that_refuses_the_connection_is_reported(refusal):
    async with WebServer() as closed:
        url, authority = closed.url("/"), closed.authority
    message = await refusal(url, allow_private_hosts=frozenset({authority}), respect_robots=False)
    assert message == f"{url} could not be reached: All connection attempts failed."


# Redirects


async def test_redirects_are_followed_and_the_last_address_is_told(server, fetch):
    server.routes["/a"] = redirect("b/c", 301)
    server.routes["/b/c"] = redirect("../d?utm_medium=x", 308)
    server.routes["/d"] = plain("Prose.")
    found = await fetch(server.url("/a"))
    assert (found.url, found.final_url) == (server.url("/a"), server.url("/d"))


async def test_a_redirect_to_another_private_address_is_refused_unasked(server, refusal):
    async with WebServer() as inside:
        inside.routes["/"] = page("secret")
        server.routes["/a"] = redirect(inside.url("/"))
        assert "only the ports 80 and 443" in await refusal(server.url("/a"))
        server.routes["/a"] = redirect("http://169.254.169.254/latest/meta-data/")
        message = await refusal(server.url("/a"))
        assert message.startswith("169.254.169.254 is refused: it is a link-local or cloud metadata address")
        assert inside.requests == []


async def test_a_redirect_to_a_name_of_a_private_address_is_refused(server, refusal):
    async def resolver(host, port):
        return ("10.1.2.3",)

    server.routes["/a"] = redirect("http://inside.example/")
    message = await refusal(server.url("/a"), resolver=resolver)
    assert message == "inside.example is refused: it is on a private network."


async def test_a_page_from_outside_may_neither_redirect_nor_link_into_the_named_network(
    server, open_fetcher, monkeypatch
):
    # The loopback server also plays a public host here: what decides is which hosts the founder named.
    monkeypatch.setattr("frasier.work.research.web.ip_addresses.is_public", lambda address: True)
    monkeypatch.setattr("frasier.work.research.web.ip_addresses._PORTS", {server.port})

    async def resolver(host, port):
        return ("127.0.0.1",)

    wiki = f"http://{server.authority}/wiki"
    outside = f"http://public.example:{server.port}"
    server.routes["/jump"] = redirect(wiki)
    server.routes["/page"] = page(f"{PROSE}<a href='{wiki}'>in</a><a href='/other'>out</a>")
    server.routes["/wiki"] = plain("Prose.")
    ledger = UrlLedger()
    ledger.allow([f"{outside}/jump", f"{outside}/page"], "a search")
    async with open_fetcher(resolver=resolver) as fetcher:
        with pytest.raises(SourceError, match="on a private network, which is refused"):
            await fetcher.fetch(f"{outside}/jump", ledger)
        await fetcher.fetch(f"{outside}/page", ledger)
    assert not ledger.may_fetch(wiki)
    assert ledger.may_fetch(f"{outside}/other")
    assert "/wiki" not in server.paths


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("file:///etc/passwd", "begins neither with http:// nor with https://"),
        ("http://user:word@example.com/", "carries a user name or password"),
        ("http://2130706433/", "spells an IP address in an unusual way"),
        ("/a", "redirects in a circle"),
    ],
)
async def test_redirects_that_mislead_are_refused(server, refusal, location, reason):
    server.routes["/a"] = redirect(location)
    assert reason in await refusal(server.url("/a"))


async def test_redirects_end_after_the_number_allowed(server, refusal, fetch):
    for number in range(9):
        server.routes[f"/{number}"] = redirect(f"/{number + 1}")
    server.routes["/3"] = plain("Prose.")
    assert (await fetch(server.url("/0"), max_redirects=3)).final_url == server.url("/3")
    assert "redirects once more than the 2 times allowed" in await refusal(server.url("/0"), max_redirects=2)


# Size and time


@pytest.mark.parametrize("length", [{}, {"Content-Length": "3000"}])
async def test_a_page_that_is_too_large_is_refused(server, refusal, told, length):
    async def parts():
        for _ in range(3):
            yield b"x" * 1_000

    server.routes["/a"] = Reply(parts(), headers=length)
    message = await refusal(server.url("/a"), max_page_bytes=2_500)
    assert message == f"{server.url('/a')} is larger than the 0.0 MB that are allowed."
    assert "FRASIER_WEB__MAX_PAGE_BYTES" in told[0]


async def test_what_follows_packed_data_is_bounded_too(server, refusal):
    packed = gzip.compress(b"<p>small</p>") + b"\x00" * 50_000
    server.routes["/a"] = Reply(packed, headers={"Content-Encoding": "gzip"})
    assert "is larger than" in await refusal(server.url("/a"), max_page_bytes=10_000)


async def test_a_page_that_drips_is_left_when_its_time_is_up(server, refusal):
    server.routes["/a"] = Reply(drip(b"<p>x</p>", pause_s=0.01))
    message = await refusal(server.url("/a"), timeout_s=0.3, respect_robots=False)
    assert message == f"{server.url('/a')} took longer than the 0.3 s that are allowed."


async def test_redirects_share_one_budget_of_time(server, refusal):
    def slow_redirect(request):
        async def parts():
            await asyncio.sleep(0.15)
            yield b""

        number = int(request.path[1:])
        return Reply(parts(), status=302, headers={"Location": f"/{number + 1}"}) if number < 2 else held

    async def silence():
        await asyncio.Event().wait()
        yield b""

    held = Reply(silence())
    for number in range(3):
        server.routes[f"/{number}"] = slow_redirect
    assert "took longer than" in await refusal(server.url("/0"), timeout_s=0.4, respect_robots=False)


# robots.txt


async def test_a_page_that_robots_forbids_is_not_asked_for(server, refusal, told, fetch):
    server.routes["/robots.txt"] = plain("User-agent: *\nDisallow: /private")
    server.routes["/private/a"] = plain("Prose.")
    message = await refusal(server.url("/private/a"))
    assert message == f"{server.url('/private/a')} is not read: the robots.txt of its host forbids it."
    assert told[0].startswith("FRASIER_WEB__RESPECT_ROBOTS=false reads without asking")
    assert server.paths == []
    assert await fetch(server.url("/private/a"), respect_robots=False)


async def test_rules_for_this_agent_come_before_rules_for_all(server, refusal):
    server.routes["/robots.txt"] = Reply("User-agent: *\nAllow: /\n\nUser-agent: frasier\nDisallow: /")
    assert "forbids it" in await refusal(server.url("/a"))


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_without_robots_everything_may_be_read(server, fetch, status):
    server.routes["/robots.txt"] = Reply("nothing", status=status)
    server.routes["/a"] = plain("Prose.")
    assert await fetch(server.url("/a"))


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_where_robots_cannot_be_had_nothing_may_be_read(server, refusal, status):
    server.routes["/robots.txt"] = Reply("oops", status=status)
    server.routes["/a"] = plain("Prose.")
    message = await refusal(server.url("/a"))
    assert message.endswith(
        f"its host does not tell what may be: {server.url('/robots.txt')} answered {status}."
    )
    assert server.paths == []


async def test_robots_are_asked_once_and_again_after_a_day(server, open_fetcher, time):
    server.routes["/a"] = plain("Prose.")
    ledger = UrlLedger()
    ledger.allow([server.url("/a")], "the directive")
    async with open_fetcher() as fetcher:
        for _ in range(3):
            await fetcher.fetch(server.url("/a"), ledger)
        assert [request.path for request in server.requests].count("/robots.txt") == 1
        time.now += 25 * 3_600
        await fetcher.fetch(server.url("/a"), ledger)
    assert [request.path for request in server.requests].count("/robots.txt") == 2


async def test_robots_may_redirect_and_are_cut_at_their_limit(server, refusal):
    server.routes["/robots.txt"] = redirect("/elsewhere")
    server.routes["/elsewhere"] = Reply("User-agent: *\nDisallow: /a\n" + "# padding\n" * 100_000)
    server.routes["/a"] = plain("Prose.")
    assert "forbids it" in await refusal(server.url("/a"))


async def test_a_redirect_is_held_to_the_robots_of_its_target(server, refusal):
    server.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /b")
    server.routes["/a"] = redirect("/b")
    assert "forbids it" in await refusal(server.url("/a"))
    assert server.paths == ["/a"]


# Politeness


async def test_requests_to_a_host_keep_their_distance(server, open_fetcher, time):
    server.routes["/a"] = plain("Prose.")
    ledger = UrlLedger()
    ledger.allow([server.url("/a")], "the directive")
    async with open_fetcher(min_delay_s_per_host=1.5) as fetcher:
        await asyncio.gather(*(fetcher.fetch(server.url("/a"), ledger) for _ in range(3)))
    assert time.slept == [1.5, 1.5, 1.5]  # after robots.txt, and between the three


async def test_the_pause_that_robots_asks_for_is_kept_up_to_a_bound(server, open_fetcher, time):
    server.routes["/robots.txt"] = Reply("User-agent: *\nCrawl-delay: 600")
    server.routes["/a"] = plain("Prose.")
    ledger = UrlLedger()
    ledger.allow([server.url("/a")], "the directive")
    async with open_fetcher() as fetcher:
        await fetcher.fetch(server.url("/a"), ledger)
        await fetcher.fetch(server.url("/a"), ledger)
    assert time.slept == [10.0]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_host_that_says_when_is_asked_once_more(server, fetch, time, status):
    replies = iter([Reply("busy", status=status, headers={"Retry-After": "7"}), plain("Prose.")])
    server.routes["/a"] = lambda request: next(replies)
    assert await fetch(server.url("/a"))
    assert time.slept == [7.0]


async def test_a_host_that_stays_busy_is_left(server, refusal, time):
    server.routes["/a"] = Reply("busy", status=429, headers={"Retry-After": "7"})
    assert await refusal(server.url("/a")) == f"{server.url('/a')} answered 429."
    assert (len(server.paths), time.slept) == (2, [7.0])


@pytest.mark.parametrize(
    "retry_after",
    ["3600", "soon", "", format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)],
    ids=["seconds", "no time", "nothing", "a date"],  # the same in every process, however late it collects
)
async def test_a_host_that_asks_for_a_long_wait_is_left_at_once(server, refusal, time, retry_after):
    server.routes["/a"] = Reply("busy", status=503, headers={"Retry-After": retry_after})
    assert await refusal(server.url("/a")) == f"{server.url('/a')} answered 503."
    assert (len(server.paths), time.slept) == (1, [])

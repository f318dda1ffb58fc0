"""Addresses: one spelling each, none that misleads, and none that nobody offered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import SourceError
from frasier.work.research.web import UrlLedger, links_in
from frasier.work.research.web.ip_addresses import is_public
from frasier.work.research.web.urls import normalise_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:80/?", "http://example.com/"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://example.com/a/./b/../c#part", "http://example.com/a/c"),
        ("http://example.com/%7euser/%c3%a9?q=%2f", "http://example.com/~user/%C3%A9?q=%2F"),
        ("http://example.com/a/%2e%2e/b", "http://example.com/b"),
        ("http://example.com/é b".replace(" ", "%20"), "http://example.com/%C3%A9%20b"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("http://example.com/a?utm_source=x&id=7&fbclid=1", "http://example.com/a?id=7"),
        ("http://example.com/a?utm_source=x", "http://example.com/a"),
        ("http://example.com/?b=2&a=1", "http://example.com/?b=2&a=1"),
        ("http://[2001:0DB8::0001]/", "http://[2001:db8::1]/"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
    ],
)
def test_each_address_has_one_spelling(text, url):
    assert normalise_url(text) == url
    assert normalise_url(url) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/a",
        "//example.com/a",
        "ftp://example.com/a",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://",
        "http:///path",
        "http://user@example.com/",
        "http://user:word@example.com/",
        "http://example.com\\@evil.example/",
        "http://exa mple.com/",
        "http://example.com/\r\nHost: x",
        "http://ex%61mple.com/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://1.2.3.4.5/",
        "http://example.1/",
        "http://[fe80::1%25eth0]/",
        "http://[::1",
        "http://[not]/",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://" + "a" * 260 + ".example/",
        "http://example.com/" + "a" * 2_000,
    ],
)
def test_what_misleads_or_is_no_web_address_is_refused(text):
    with pytest.raises(SourceError):
        normalise_url(text)


def test_a_refused_password_is_not_repeated():
    with pytest.raises(SourceError) as refused:
        normalise_url("http://ada:s3cret@example.com/")
    assert "s3cret" not in refused.value.message


@given(st.text(max_size=80) | st.from_regex(r"https?://[a-z0-9.%\[\]:@/?#&=é-]{1,40}", fullmatch=True))
def test_normalising_is_idempotent_or_refuses(text):
    try:
        url = normalise_url(text)
    except SourceError:
        return
    assert normalise_url(url) == url


def test_links_of_a_directive_are_found_without_the_marks_around_them():
    text = (
        "Compare https://example.com/a, (see http://example.org/b_(x)) and [this](https://example.net/c?d=1#e). "
        "Again https://EXAMPLE.com/a! Not ftp://example.com/d or http://user@example.com/."
    )
    assert links_in(text) == (
        "https://example.com/a",
        "http://example.org/b_(x)",
        "https://example.net/c?d=1",
    )


def test_a_ledger_knows_what_was_offered_and_by_whom():
    ledger = UrlLedger()
    assert (
        ledger.allow(["http://example.com/a#x", "mailto:a@b.c", "http://EXAMPLE.com/a"], "the directive") == 1
    )
    assert ledger.allow(["http://example.com/a", "http://example.com/b"], "a search") == 1
    assert ledger.may_fetch("http://example.com:80/a?utm_source=y")
    assert not ledger.may_fetch("http://example.com/c")
    assert ledger.why("http://example.com/a") == "the directive"
    assert ledger.why("http://example.com/b") == "a search"
    assert ledger.why("http://example.com/c") is None


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.255.0.1", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::7f00:1",
        "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:53aa:64c:0:fbff:ab2e:1", "2001:10::1",
        "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1",
        "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "not an address", "",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_told(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"]
)
def test_public_addresses_are_told(address):
    assert is_public(address)

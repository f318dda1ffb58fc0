"""Advice on the founder's page: a link to the page on which it is followed, or a command where there is none."""

from __future__ import annotations

from frasier.interfaces.advice import ACTIONS, PageWords, error_facts, page_for
from frasier.interfaces.advice.web_page import _PLACES
from frasier.interfaces.web.notices import PageNotice
from frasier.kernel.advice import Advice
from frasier.kernel.errors import Stale


def test_every_action_with_a_page_exists() -> None:
    assert set(_PLACES) <= set(ACTIONS)


def test_advice_that_a_page_follows_names_the_page() -> None:
    shown = Advice("mission.show", to="see its steps", mission="a/b?c")
    assert PageWords().advise(shown) == "Open Mission to see its steps."
    assert page_for(shown) == ("Mission", "/missions/a%2Fb%3Fc")
    assert page_for(Advice("mission.show")) is None  # the mission is not known


def test_advice_without_a_page_names_the_command() -> None:
    assert PageWords().advise(Advice("doctor.run", to="see more")) == "Run `frasier doctor` to see more."


def test_an_error_is_told_in_the_words_of_the_page() -> None:
    error = Stale(
        "It changed.",
        kept="Nothing was decided.",
        hint="Look again.",
        advice=(Advice("inbox.show", to="see what waits"), Advice("doctor.run")),
        facts={"move": "create", "missing": ["acceptance_criteria"]},
    )
    notice = PageNotice.of_error(error)
    assert (notice.text, notice.kept, notice.refused) == ("It changed.", "Nothing was decided.", True)
    assert notice.hints == ("Look again.", "Fill in acceptance criteria.", "Run `frasier doctor`.")
    assert [(link.text, link.address) for link in notice.links] == [("Now: see what waits", "/")]
    assert "Open Now to see what waits." in error_facts(error, PageWords())["hint"]

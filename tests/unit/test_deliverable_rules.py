"""What can never be a deliverable."""

from __future__ import annotations

import pytest

from frasier.org.missions import find_faults

GOOD = "# Water\n\nFilter coffee is brewed with water of 94 degrees for four minutes. [1]\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "Too short.",
        "Done!",
        "x" * 400_001,
        GOOD + "[insert table here]",
        GOOD + "Lorem ipsum dolor sit amet.",
        GOOD + "{{ summary }}",
        GOOD + "[WEB_SEARCH: coffee temperature]",
        "As an AI language model, I cannot browse the documents that you gave me, sorry.",
        "Error: 401 Unauthorized. The key that was provided is not valid for this endpoint.",
        "401 Unauthorized: no auth credentials found in the request that was made",
        '{"error": {"message": "insufficient credits", "code": 402, "metadata": {"x": 1}}}',
        "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>",
        "Traceback (most recent call last):\n  File 'x.py', line 1, in <module>\nValueError: no",
        GOOD + "```python\nprint('cut off",
        GOOD + "## Costs\n\n- TODO\n",
        GOOD + "## Costs\n\nTBD.\n",
        "I’m sorry, but I can’t help with that. Please ask me for something else instead.",
        "I apologize, but I do not have the documents that you mention in this conversation.",
        "I am unable to write this report because no sources were provided to me.",
        "Rate limit reached for requests. Please try again in 20 s, or contact support.",
        "upstream connect error or disconnect/reset before headers. reset reason: overflow",
        "The model is currently overloaded with other requests. Please try again later.",
        "HTTP/2 503 from the upstream, which is not what was asked for at all",
        "Error code: 401 - incorrect key provided, see the documentation of the service",
    ],
)
def test_this_is_no_deliverable(text: str) -> None:
    assert find_faults(text)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "55.90 EUR net a piece. [6]",
        "No, it is not.",
        GOOD + "\nHTTP 404 is the status of a missing page. [2]\n",
        GOOD + "\n```python\nprint('whole')\n```\n",
        GOOD + "\nErrors are handled by the caller. [1]\n",
        GOOD + "\nSee [your rights](rights.md) for more. [1]\n",
        "Error budgets say how often a service may fail before its makers stop adding to it.",
        "# Templates\n\nA variable is written `{{ name }}`. [1]\n\n```\n{{ block }}\n[search: x]\n```\n",
        "# Limits\n\nAfter that the service answers “rate limit exceeded”, and asks to try again later. [2]\n",
        "Some chatbots begin with “As an AI language model”, and their users learned to skip it. [1]\n",
        "- [ ] write the TODO list of the next week, and share it with everybody [1]\n",
        "| a | b |\n|---|---|\n| Filter coffee is brewed with water | of 94 degrees [1] |\n",
    ],
)
def test_this_may_be_one(text: str) -> None:
    assert find_faults(text) == []

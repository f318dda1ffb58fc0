"""A model's text in the forms that models write, brought into the one that the rules of writing ask for."""

from __future__ import annotations

import pytest

from frasier.work.reply_markdown import conventional_markdown

KNOWN = {1, 2, 3}


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Tea [1-3].", "Tea [1, 2, 3]."),
        ("Tea [1–2; 3].", "Tea [1, 2, 3]."),
        ("Tea 【2】 and 【3†source】.", "Tea [2] and [3]."),
        ("Tea [Source 2] (sources 1 and 3) (Quelle 2).", "Tea [2] [1, 3] [2]."),
        ("Tea.<sup>[2]</sup> Coffee.<sup>1,3</sup>", "Tea.[2] Coffee.[1,3]"),
        ("40 m<sup>2</sup> of CO<sub>2</sub>", "40 m² of CO₂"),
        (
            "<b>Tea</b> is <em>hot</em>, <span class='x'>and</span> green.<br/>Yes",
            "**Tea** is *hot*, and green.<br>Yes",
        ),
        (r"It is \(3 \times 320 = 960\,\text{EUR}\) [1].", "It is 3 × 320 = 960 EUR [1]."),
        (r"It is $\frac{960}{4{,}850} \approx 20\,\%$ of $4,850.", "It is 960 / 4,850 ≈ 20 % of $4,850."),
        ("![A cup](https://example.org/cup.png)", "[A cup](https://example.org/cup.png)"),
        ("Tea[^2] and coffee[^3].", "Tea[2] and coffee[3]."),
        ("Tea[^1].\n\n[^1]: [3] Tea, line 4", "Tea[3].\n"),
        ("Tea[^1].\n\n[^1]: Tea, line 4", "Tea[1].\n"),
        (
            "Here is it:\n\n```markdown\n# Tea\n\n```sh\nbrew\n```\n\nHot [1].\n```\n",
            "# Tea\n\n```sh\nbrew\n```\n\nHot [1].",
        ),
        ("```\n# Tea\n```", "# Tea"),
    ],
)
def test_other_forms_of_citations_and_mark_up_become_those_that_are_asked_for(
    written: str, wanted: str
) -> None:
    made = conventional_markdown(written, KNOWN)
    assert made == wanted
    assert conventional_markdown(made, KNOWN) == made


@pytest.mark.parametrize(
    "text",
    [
        "The years [1990-1995] and [3-9].",
        "[1-2](https://example.org) and `[1-2] <b>`",
        "```sh\nbrew [1-2] <b>\n```\n\nHot [1].\n\n```sh\nstop\n```",
        "Tea.[^1]\n\n[^1]: The tax is 19 % [2].",
        "a < b and <https://example.org>, 2 <br and p>q",
        "- [ ] Brew it [2, 3]\n- [x] Drink it [conclusion]",
        "| a \\| b | (3) |",
        r"It costs $5, then $7; \(\sqrt{2}\) and C:\temp\(new\)",
    ],
)
def test_what_means_something_else_stays_as_it_is(text: str) -> None:
    assert conventional_markdown(text, KNOWN) == text

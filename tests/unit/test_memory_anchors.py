"""Anchors: which sections a text has, which of them answers a request, and what is handed over."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import estimate_tokens
from frasier.memory.files.anchors import AnchorFault, read_anchors, resolve
from frasier.memory.files.sections import deliver_sections

IDS = st.from_regex(r"[a-z0-9][a-z0-9/-]{0,8}", fullmatch=True)

PIECES = (
    *(
        "<!-- ANCHOR:a -->",
        "<!-- /ANCHOR:a -->",
        "<!-- ANCHOR:b -->",
        "<!-- /ANCHOR:b -->",
        "<!-- ANCHOR:_ -->",
    ),
    *("<!--", "-->", "ANCHOR:a", "/ANCHOR:a", "`", "```", "~~~", "\n", "\n\n", " ", "x"),
)


def sections(text: str) -> dict[str, str]:
    return {name: text[section.start : section.end] for name, section in read_anchors(text).sections.items()}


def faults(text: str) -> list[tuple[str, str, int]]:
    return [(problem.fault.value, problem.anchor, problem.line) for problem in read_anchors(text).problems]


def wrapped(name: str, text: str) -> str:
    return f"<!-- ANCHOR:{name} -->{text}<!-- /ANCHOR:{name} -->"


class TestReading:
    @pytest.mark.parametrize(
        ("opening", "closing"),
        [
            ("<!-- ANCHOR:summary -->", "<!-- /ANCHOR:summary -->"),
            ("<!--ANCHOR:summary-->", "<!--/ANCHOR:summary-->"),
            ("<!--   anchor : summary  -->", "<!-- / Anchor: summary -->"),
            ("<!--\n  ANCHOR:summary\n-->", "<!--\t/ANCHOR:summary\n-->"),
        ],
    )
    def test_case_and_blanks_in_the_comment_do_not_matter(self, opening, closing):
        assert sections(f"before{opening} inside {closing}after") == {"summary": " inside "}
        assert faults(f"{opening}{closing}") == []

    @pytest.mark.parametrize("name", ["a", "0", "next-steps", "a/b-c", "A1", "x--/y"])
    def test_an_id_has_letters_digits_hyphens_and_slashes(self, name):
        assert sections(wrapped(name, "x")) == {name: "x"}

    @pytest.mark.parametrize("name", ["-a", "/a", "a_b", "", "ä", "a b", "a.b", "ſ", "\u212a", "x" * 201])
    def test_any_other_id_is_reported_and_no_section(self, name):
        assert sections(wrapped(name, "x")) == {}
        assert [number for number, _, _ in faults(wrapped(name, "x"))] == ["E091", "E091"]

    def test_the_form_that_once_returned_nothing_is_reported(self):
        numbers = {number for number, _, _ in faults("<!-- ANCHOR:a -->x<!-- ANCHOR_END:a -->")}
        assert numbers == {"PF003", "E091"}

    @pytest.mark.parametrize(
        "text", ["<!-- an anchor is a name -->", "<!-- anchored: no -->", "<!-- see ANCHOR:x -->"]
    )
    def test_other_comments_are_nobodys_business(self, text):
        assert faults(text) == []

    def test_sections_hold_one_another(self):
        assert sections(wrapped("outer", f"1{wrapped('inner', '2')}3")) == {
            "outer": "1<!-- ANCHOR:inner -->2<!-- /ANCHOR:inner -->3",
            "inner": "2",
        }

    def test_the_first_close_ends_the_section(self):
        text = "<!-- ANCHOR:a -->1<!-- /ANCHOR:a -->2<!-- /ANCHOR:a -->"
        assert sections(text) == {"a": "1"}
        assert faults(text) == [("PF002", "a", 1)]

    def test_each_fault_has_its_number_and_its_line(self):
        assert faults("\n".join([wrapped("a", "1"), "", wrapped("a", "2")])) == [("PF001", "a", 3)]
        assert faults("\n\n<!-- /ANCHOR:a -->") == [("PF002", "a", 3)]
        assert faults("one\n<!-- ANCHOR:a -->\ntwo") == [("PF003", "a", 2)]

    def test_the_first_of_two_sections_of_one_name_counts(self):
        assert sections(wrapped("a", "1") + wrapped("a", "2")) == {"a": "1"}

    @pytest.mark.parametrize(
        "text",
        [
            "```\n{}\n```",
            "~~~~ md\n```\n{}\n~~~\n~~~~",
            "  - item\n    ```\n    {}\n    ```",
            "use `{}` like this",
            "use `` a ` {} `` like this",
            "```\n{}",
            "<!-- a template: {} and so on\n-->",
        ],
    )
    def test_what_stands_in_code_or_in_a_comment_opens_nothing(self, text):
        assert sections(text.format("<!-- ANCHOR:a -->")) == {}
        assert faults(text.format("<!-- ANCHOR:a -->")) == []

    @pytest.mark.parametrize(
        "text",
        [
            "a ` b {} c",
            "``` x ``` {}",
            "```\ncode\n```\n{}",
            "~~~\n```\n~~~\n{}",
            "a <!-- b\n\n{}",
        ],
    )
    def test_what_only_looks_like_code_hides_nothing(self, text):
        assert sections(text.format(wrapped("a", "x"))) == {"a": "x"}

    def test_a_block_that_never_ends_is_named_as_the_cause(self):
        [problem] = read_anchors("<!-- ANCHOR:a -->\n```\n<!-- /ANCHOR:a -->").problems
        assert problem.fault is AnchorFault.NEVER_CLOSED
        assert "line 2 is never closed" in problem.message

    @given(st.dictionaries(IDS, st.text(alphabet="ab \n", max_size=20), max_size=8))
    @settings(max_examples=200)
    def test_what_is_written_is_read(self, written):
        text = "\n\n".join(wrapped(name, body) for name, body in written.items())
        assert sections(text) == written
        assert faults(text) == []

    @given(
        st.lists(
            st.sampled_from(PIECES),
            max_size=60,
        )
    )
    @settings(max_examples=200)
    def test_any_text_has_sections_inside_of_it_and_lines_that_exist(self, pieces):
        text = "".join(pieces)
        found = read_anchors(text)
        for section in found.sections.values():
            assert 0 <= section.start <= section.end <= len(text)
            assert text[: section.start].endswith("-->")
            assert text[section.end :].startswith("<!--")
        assert all(1 <= problem.line <= text.count("\n") + 1 for problem in found.problems)

    @pytest.mark.parametrize(
        "piece",
        [
            "<!--",
            "`",
            "` ",
            "<!-- ",
            "<!-- ANCHOR:a -->",
            "a<!--\n\n",
            "```\n",
            "-->",
            " <!-- x -->",
            "<!-- a\n",
            "<!-- /  ",
        ],
    )
    def test_fault_37_hostile_text_takes_time_in_proportion(self, piece):
        def seconds(size: int) -> float:
            text = piece * (size // len(piece))
            began = time.process_time()
            read_anchors(text)
            return time.process_time() - began

        seconds(1_000)
        assert seconds(400_000) < max(40 * seconds(40_000), 5.0)


class TestResolving:
    def test_the_exact_id_comes_before_one_that_continues_it(self):
        assert resolve(["summary"], ["summary-1", "summary"]).found == (("summary", "summary"),)

    def test_the_shortest_continuation_behind_a_hyphen_answers(self):
        ids = ["summary-session-42", "summary-s1", "summaryx", "sum", "summary-s0"]
        assert resolve(["summary"], ids).found == (("summary", "summary-s0"),)

    def test_what_is_not_there_is_listed_once(self):
        resolution = resolve(["sum", "none", "sum"], ["summary"])
        assert resolution.found == ()
        assert resolution.missing == ("sum", "none")

    @given(st.lists(IDS, max_size=6), st.sets(IDS, max_size=12))
    @settings(max_examples=200)
    def test_an_answer_is_the_best_there_is(self, requested, available):
        resolution = resolve(requested, available)
        assert {asked for asked, _ in resolution.found} | set(resolution.missing) == set(requested)
        for asked, answer in resolution.found:
            assert answer == asked or (asked not in available and answer.startswith(f"{asked}-"))
            assert (
                all(len(answer) <= len(other) for other in available if other.startswith(f"{asked}-"))
                or answer == asked
            )
        for asked in resolution.missing:
            assert not any(other == asked or other.startswith(f"{asked}-") for other in available)


class TestDelivering:
    CONTENT = "# Title\n\n" + "\n\n".join(
        wrapped(name, f"\n{text}\n")
        for name, text in [("summary", "short"), ("details", "long " * 200), ("empty", " ")]
    )

    def test_only_what_was_asked_for_is_handed_over(self):
        delivery = deliver_sections(self.CONTENT, ["summary"], estimate_tokens)
        assert delivery.text == "short"
        assert (delivery.anchors_found, delivery.anchors_missing, delivery.is_snippet) == (
            ("summary",),
            (),
            False,
        )
        assert delivery.original_tokens == estimate_tokens(self.CONTENT)
        assert delivery.returned_tokens == estimate_tokens("short")

    def test_without_a_section_the_beginning_comes(self):
        delivery = deliver_sections(self.CONTENT, ["decisions", "state"], estimate_tokens)
        assert delivery.is_snippet
        assert delivery.text.startswith("# Title short long")
        assert len(delivery.text) <= 300
        assert delivery.anchors_missing == ("decisions", "state")

    def test_a_section_without_text_is_missing(self):
        delivery = deliver_sections(self.CONTENT, ["empty"], estimate_tokens)
        assert (delivery.is_snippet, delivery.anchors_missing) == (True, ("empty",))

    def test_some_of_them_are_found_and_the_others_named(self):
        delivery = deliver_sections(self.CONTENT, ["details", "nope", "summary"], estimate_tokens)
        assert delivery.anchors_found == ("details", "summary")
        assert delivery.anchors_missing == ("nope",)
        assert delivery.text.endswith("short")

    def test_without_a_request_everything_comes(self):
        delivery = deliver_sections(self.CONTENT, [], estimate_tokens)
        assert delivery.text == self.CONTENT

    def test_a_section_inside_of_another_is_not_handed_over_twice(self):
        content = wrapped("outer", f"a {wrapped('inner', 'needle')} b")
        delivery = deliver_sections(content, ["inner", "outer"], estimate_tokens)
        assert delivery.anchors_found == ("inner", "outer")
        assert delivery.text.count("needle") == 1

    def test_too_many_anchors_are_refused(self):
        with pytest.raises(InvalidInput) as refused:
            deliver_sections("text", [f"a{n}" for n in range(51)], estimate_tokens)
        assert refused.value.number == "E032"

    @given(
        st.lists(
            st.tuples(IDS, st.text(alphabet="xy \n", max_size=30)), max_size=5, unique_by=lambda pair: pair[0]
        ),
        st.lists(IDS, max_size=5),
    )
    @settings(max_examples=200)
    def test_what_is_counted_is_what_is_handed_over(self, written, requested):
        content = "\n".join(wrapped(name, body) for name, body in written)
        delivery = deliver_sections(content, requested, len)
        assert delivery.returned_tokens == len(delivery.text)
        assert len(delivery.anchors_found) + len(delivery.anchors_missing) == len(dict.fromkeys(requested))
        assert delivery.is_snippet == bool(requested and not delivery.anchors_found)

"""From bytes to what a file says: frontmatter, metadata block, title, triggers, and hostile input."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.kernel.safe_yaml import read_mapping
from frasier.memory.files.compose import NewFile, compose
from frasier.memory.files.metadata import ContextType, Link, LinkKind
from frasier.memory.files.parse_file import parse_file
from frasier.memory.types import ImportanceTier, MemoryType
from support.machine_speed import scaled

BODY = "A text that is long enough to be remembered."


def read(text: str, name: str = "file.md"):
    return parse_file(text.encode(), name)


def front(lines: str):
    return read(f"---\n{lines}\n---\n{BODY}\n")


class TestFrontmatter:
    def test_both_spellings_of_a_name_are_read(self):
        snake = front("trigger_phrases: [one two]\nimportance_tier: critical\ncontext_type: research")
        camel = front("triggerPhrases: [one two]\nimportanceTier: critical\ncontextType: research")
        assert snake.metadata == camel.metadata
        assert snake.metadata.triggers == ("one two",)
        assert snake.metadata.tier is ImportanceTier.CRITICAL
        assert snake.metadata.context_type is ContextType.RESEARCH

    def test_the_body_begins_behind_it(self):
        assert front("title: A").body == f"{BODY}\n"

    @pytest.mark.parametrize(
        "text", [f"\n---\ntitle: A\n---\n{BODY}", f" ---\ntitle: A\n---\n{BODY}", f"--- x\n---\n{BODY}"]
    )
    def test_what_does_not_begin_the_file_is_text(self, text):
        parsed = read(text)
        assert parsed.title == "file"
        assert parsed.body == text

    def test_a_rule_that_nothing_ends_is_text_and_said_to_be(self):
        parsed = read(f"---\n{BODY}")
        assert parsed.body.startswith("---")
        assert "no second ---" in parsed.warnings[0]

    def test_every_value_is_text(self):
        assert front("title: 2024-01-01").title == "2024-01-01"
        assert front("title: yes").title == "yes"
        assert front("tags: [1, true, 1.50]").metadata.tags == ("1", "true", "1.50")

    def test_a_list_may_be_one_line_with_commas(self):
        assert front("trigger_phrases: one two, three four").metadata.triggers == ("one two", "three four")

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            *((alias, "implementation") for alias in ("debug", "fix", "refactor", "feature", "test", "Fix")),
            *((alias, "research") for alias in ("analysis", "review")),
            *((alias, "decision") for alias in ("planning", "architecture")),
            ("bug", "discovery"),
            ("general", "general"),
        ],
    )
    def test_aliases_of_a_context(self, written, meant):
        assert front(f"context_type: {written}").metadata.context_type == meant

    @pytest.mark.parametrize(
        ("lines", "field", "told"),
        [
            ("importance_tier: high", "tier", "unknown importance_tier 'high'"),
            ("context_type: musing", "context_type", "unknown context_type 'musing'"),
            ("memory_type: long", "memory_type", "unknown memory_type 'long'"),
            ("title: [a]", "title", "Ignored title, which is not text"),
            ("tags: {a: b}", "tags", "Ignored tags, which is not a list"),
            ("tags: [[a]]", "tags", "Ignored values of tags that are not text"),
            ("trigger_phrases: [ab]", "triggers", "1 trigger phrase left out ('ab')"),
            ("causal_links: [a]", "links", "Ignored causal_links, which is not a mapping"),
            ("causal_links: {follows: a}", "links", "unknown kind follows in causal_links"),
            ("author: me", "title", "Ignored unknown names in the frontmatter: author."),
        ],
    )
    def test_what_cannot_be_used_is_left_out_and_reported(self, lines, field, told):
        parsed = front(lines)
        assert not getattr(parsed.metadata, field)
        assert told in " ".join(parsed.warnings)

    def test_more_than_enough_is_counted(self):
        parsed = front("trigger_phrases: [" + ", ".join(f"phrase {n}" for n in range(53)) + "]")
        assert len(parsed.metadata.triggers) == 50
        assert "3 trigger phrases after the first 50 were left out." in parsed.warnings

    def test_links_keep_their_words_and_a_title_with_a_comma(self):
        parsed = front('causal_links:\n  caused_by: [a.md, b]\n  relatedTo: "One, two"')
        assert parsed.metadata.links == (
            Link(kind=LinkKind.CAUSED_BY, reference="a.md"),
            Link(kind=LinkKind.CAUSED_BY, reference="b"),
            Link(kind=LinkKind.RELATED_TO, reference="One, two"),
        )

    @pytest.mark.parametrize(
        "moment", ["soon", "2025-13-01", "[2025-01-01]", "0001-01-01T00:00:00+14:00", "9999-12-31"]
    )
    def test_a_moment_that_is_none_is_refused(self, moment):
        with pytest.raises(InvalidInput) as refused:
            front(f"valid_until: {moment}")
        assert refused.value.number == "E030"

    def test_a_moment_without_an_offset_is_utc(self):
        assert front("valid_from: 2025-03-31").metadata.valid_from == datetime(2025, 3, 31, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("lines", "told"),
        [
            ("a: &x 1\nb: *x", "aliases"),
            ("a: *x", "aliases"),
            ("a: !!python/object/apply:os.system ['true']", "a tag"),
            ("a: !x b", "a tag"),
            ("title: a\ntitle: b", "occurs twice"),
            ("triggerPhrases: a\ntrigger_phrases: b", "occurs twice"),
            ("%YAML 1.1", "document start"),
            ("just words", "`name: value`"),
            ("- a", "`name: value`"),
            ("a: b: c", "(line 2)"),
            ("title: x\n\tb: c", "(line 3)"),
            ("a: \x01", "characters"),
            ("? [a]\n: b", "a name must be text"),
            ("a: [[[[[[[[[[1]]]]]]]]]]", "levels deep"),
            ("a: [" + "1," * 6000 + "]", "more than 5000 values"),
            ("a: b\n...\n--- c", "one document"),
        ],
    )
    def test_fault_37_what_could_grow_or_be_guessed_is_refused_with_its_line(self, lines, told):
        with pytest.raises(InvalidInput) as refused:
            front(lines)
        assert refused.value.number == "E090"
        assert told in refused.value.message
        assert "(line " in refused.value.message or "twice" in refused.value.message

    def test_fault_37_a_bomb_is_refused_before_it_grows(self):
        bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
        with pytest.raises(InvalidInput):
            front(bomb)

    @pytest.mark.parametrize(
        "lines",
        ["k" * 1_000_000 + ": v", "a: " + "x" * 1_000_000, "a: [" + "b, " * 400_000 + "]", "# " * 500_000],
    )
    def test_fault_37_what_is_too_large_is_not_even_parsed(self, lines):
        began = time.process_time()
        with pytest.raises(InvalidInput) as refused:
            front(lines)
        assert refused.value.number == "E013"
        assert time.process_time() - began < scaled(5)

    @pytest.mark.parametrize(
        "piece",
        [
            "[",
            "{",
            "- ",
            "? ",
            "a: [",
            "'",
            '"',
            "|\n ",
            "&a ",
            "*a ",
            "!",
            "%",
            "#",
            "a:\n ",
            "\n",
            ",",
            "a: b\n",
        ],
    )
    def test_fault_37_hostile_yaml_is_answered_quickly(self, piece):
        began = time.process_time()
        try:
            read_mapping(piece * (64_000 // len(piece)), label="It", first_line=1)
        except InvalidInput as refused:
            assert refused.number == "E090"
        assert time.process_time() - began < scaled(10)

    @given(st.text(alphabet=st.sampled_from("ab:- \n[]{}&*!|>'\"#%@`,?~\t<\\é\U0001f980"), max_size=80))
    @settings(max_examples=200)
    def test_any_text_is_a_mapping_of_text_or_refused(self, text):
        def is_text(value, depth=0):
            match value:
                case None | str():
                    return True
                case list():
                    return depth < 9 and all(is_text(item, depth + 1) for item in value)
                case dict():
                    return depth < 9 and all(
                        isinstance(k, str) and is_text(v, depth + 1) for k, v in value.items()
                    )
            return False

        try:
            found = read_mapping(text, label="It", first_line=1)
        except InvalidInput as refused:
            assert refused.number == "E090"
        else:
            assert isinstance(found, dict)
            assert is_text(found)


class TestMetadataBlock:
    def block(self, lines: str, front: str = "", name: str = "metadata"):
        return read(
            f"{front}{BODY}\n<!-- ANCHOR:{name} -->\n```yaml\n{lines}\n```\n<!-- /ANCHOR:{name} -->\n"
        )

    def test_it_is_read_where_the_frontmatter_is_silent(self):
        parsed = self.block(
            "session_id: s-1\nimportance_tier: important\nmemory_classification:\n  memory_type: semantic\n"
            "  half_life_days: 30\ncausal_links:\n  supersedes: [a.md]\n  blocks: []\naccess_count: 0",
            front="---\nimportance_tier: temporary\n---\n",
        )
        assert parsed.metadata.session_id == "s-1"
        assert parsed.metadata.tier is ImportanceTier.TEMPORARY
        assert parsed.metadata.memory_type is MemoryType.SEMANTIC
        assert parsed.metadata.links == (Link(kind=LinkKind.SUPERSEDES, reference="a.md"),)
        assert parsed.warnings == ()

    def test_an_id_with_a_suffix_is_found(self):
        assert self.block("session_id: s-1", name="metadata-s-1-folder").metadata.session_id == "s-1"

    def test_yaml_outside_of_the_section_says_nothing(self):
        parsed = read(
            f"{BODY}\n```yaml\nimportance_tier: critical\n```\n<!-- ANCHOR:metadata -->\n<!-- /ANCHOR:metadata -->"
        )
        assert parsed.metadata.tier is None

    def test_one_that_cannot_be_read_is_reported_by_its_line_and_the_text_is_kept(self):
        parsed = self.block("a: [", front="---\ntitle: T\n---\n")
        assert parsed.title == "T"
        [warning] = parsed.warnings
        assert "(line 8)" in warning or "(line 7)" in warning
        assert "not used" in warning


class TestTitleAndTriggers:
    @pytest.mark.parametrize(
        ("text", "title"),
        [
            (f"---\ntitle: F\n---\n# H\n{BODY}", "F"),
            (f"## Second\n# First #\n# Later\n{BODY}", "First"),
            (f"```\n# code\n```\n# Shown\n{BODY}", "Shown"),
            (f"<!--\n# hidden\n-->\n# Shown\n{BODY}", "Shown"),
            (f"# \n#\n#tag\n{BODY}", "a-name"),
        ],
    )
    def test_the_title_is_stated_or_the_first_heading_or_the_name(self, text, title):
        assert read(text, "a-name.md").title == title

    def test_bullets_below_their_heading_are_triggers_beside_those_stated(self):
        parsed = read(
            f"---\ntrigger_phrases: [stated one]\n---\n{BODY}\n- no phrase\n## Trigger phrases ##\n- `first one`\n* second one\n"
            "```\n- not this\n```\n<!--\n- nor that\n-->\n  + Stated One\n### Other\n- neither here\n"
        )
        assert parsed.metadata.triggers == ("stated one", "first one", "second one")

    @given(st.text(max_size=200))
    @settings(max_examples=200)
    def test_any_text_is_read_or_refused_by_a_rule(self, text):
        try:
            parsed = parse_file(text.encode("utf-8", "surrogatepass"), "a.md")
        except InvalidInput as refused:
            assert refused.number in {"E012", "E013", "E030", "E090", "PF030", "PF031"}
            assert refused.hint or refused.advice or refused.facts
        else:
            assert parsed.title
            assert "\r" not in parsed.body

    @given(st.binary(max_size=100))
    @settings(max_examples=200)
    def test_any_bytes_are_read_or_refused_by_a_rule(self, data):
        try:
            parse_file(data, "a.md")
        except InvalidInput as refused:
            assert refused.number in {"E012", "E030", "E090", "PF030"}


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).map(
    lambda text: " ".join(text.split())
)
PHRASES = WORDS.filter(lambda text: len(text) >= 3)
MOMENTS = st.floats(-2e9, 7e9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
FILES = st.builds(
    NewFile,
    title=WORDS,
    description=WORDS,
    triggers=st.lists(PHRASES, max_size=5, unique_by=str.casefold).map(tuple),
    tags=st.lists(WORDS.filter(bool), max_size=5, unique=True).map(tuple),
    tier=st.none() | st.sampled_from(ImportanceTier),
    context_type=st.none() | st.sampled_from(ContextType),
    memory_type=st.none() | st.sampled_from(MemoryType),
    valid_from=st.none() | MOMENTS,
    valid_until=st.none() | MOMENTS,
    links=st.lists(
        st.builds(Link, kind=st.sampled_from(LinkKind), reference=WORDS.filter(bool)), max_size=5, unique=True
    ).map(lambda links: tuple(sorted(links, key=lambda link: link.kind))),
    session_id=WORDS,
    body=st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff"), min_size=10, max_size=200)
    .map(lambda text: f"Body: {text.strip()}")
    .filter(lambda text: "anchor" not in text.casefold() and "Trigger" not in text and len(text) >= 16),
)


@given(FILES)
@settings(max_examples=200, deadline=None)
def test_what_is_composed_is_read_back_exactly(new):
    parsed = read(compose(new))
    for name in (
        "description",
        "triggers",
        "tags",
        "tier",
        "context_type",
        "memory_type",
        "links",
        "session_id",
    ):
        assert getattr(parsed.metadata, name) == getattr(new, name), name
    assert (parsed.metadata.valid_from, parsed.metadata.valid_until) == (new.valid_from, new.valid_until)
    assert parsed.metadata.title == new.title
    assert parsed.body.strip("\n") == new.body.strip("\n")
    assert parsed.warnings == ()


def test_a_body_that_begins_with_a_rule_is_not_taken_for_properties():
    body = f"---\ntitle: not a title\n---\n{BODY}"
    parsed = read(compose(NewFile(body=body)))
    assert parsed.metadata.title == ""
    assert parsed.body.strip() == body

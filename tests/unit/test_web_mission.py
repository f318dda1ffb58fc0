"""What the pages of a mission compute: groups of steps, differences of versions, marks that open."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import fragment_fromstring, tostring

from frasier.interfaces.web.mission_graph import NODES_MAX, draw_graph
from frasier.interfaces.web.popover_note import popover_note
from frasier.interfaces.web.version_diff import BlockKind, DiffBlock, diff_versions
from frasier.overview import StepProgress


def step(
    key: str, *, level: int = 1, status: str = "pending", title: str = "", needs: tuple[str, ...] = ()
) -> StepProgress:
    return StepProgress(
        key=key,
        title=title or key,
        agent="Heron",
        status=status,
        phase="",
        level=level,
        needs=needs,
        version=0,
        strikes=0,
        failure=None,
        reviews=(),
        citation_score=None,
        verification=None,
        degraded=False,
    )


def chain(count: int, *, done: int) -> list[StepProgress]:
    return [
        step(
            f"s{number:03}",
            level=number + 1,
            status="completed" if number < done else "pending",
            needs=(f"s{number - 1:03}",) if number else (),
        )
        for number in range(count)
    ]


def test_a_small_graph_has_a_node_for_each_step():
    graph = draw_graph(chain(NODES_MAX, done=30))
    assert [node.key for node in graph.nodes] == [f"s{number:03}" for number in range(NODES_MAX)]
    assert not graph.grouped
    assert sum(wire.travelled for wire in graph.wires) == 30


def test_finished_levels_become_one_node():
    graph = draw_graph(chain(100, done=70))
    assert graph.nodes[0].title == "70 finished steps"
    assert graph.nodes[0].status == "completed"
    assert len(graph.nodes) == 31
    assert len(graph.wires) == 30
    assert len(draw_graph(chain(100, done=70), whole=True).nodes) == 100


def test_steps_of_the_same_kind_become_one_node_with_their_counts():
    steps = [step("begin")]
    steps += [
        step(
            f"r{n}",
            level=2,
            title=f"Research: part {n}",
            status="active" if n == 3 else "pending",
            needs=("begin",),
        )
        for n in range(80)
    ]
    steps.append(step("end", level=3, needs=tuple(f"r{n}" for n in range(80))))
    graph = draw_graph(steps)
    assert [node.title for node in graph.nodes] == ["begin", "Research ×80", "end"]
    group = graph.nodes[1]
    assert (group.status, group.counts) == ("active", (("active", 1), ("pending", 79)))
    assert group.step is None
    assert len(graph.wires) == 2


def test_before_the_plan_there_is_the_planning_alone():
    graph = draw_graph([step("plan", level=0, status="active")])
    assert [node.key for node in graph.nodes] == ["plan"]


def blocks_of(before: str, after: str) -> list[DiffBlock]:
    return [block for run in diff_versions(before, after) for block in run.blocks]


def words_of(html: str) -> list[str]:
    return fragment_fromstring(html, create_parent=True).text_content().split()


TEXTS = st.text(alphabet="ab \n.", max_size=80)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_a_comparison_has_every_word_of_both_versions(before: str, after: str):
    blocks = blocks_of(before, after)
    assert words_of("\n".join(block.before for block in blocks)) == before.split()
    assert words_of("\n".join(block.after for block in blocks)) == after.split()


def test_a_comparison_shows_the_words_that_changed_and_folds_what_is_the_same():
    lines = [f"Paragraph {number} stays." for number in range(20)]
    before = [*lines[:10], "Tea is brewed with **water** of 80 degrees [1].", *lines[10:]]
    after = [*lines[:10], "Tea is brewed with **water** of 75 degrees [1].", *lines[10:]]
    runs = diff_versions("\n\n".join(before), "\n\n".join(after))
    assert [len(run.blocks) for run in runs if run.folded] == [9, 9]
    (changed,) = [block for run in runs for block in run.blocks if block.kind is BlockKind.CHANGED]
    assert "<strong>water</strong> of <del>80</del><ins>75</ins> degrees [1]." in changed.merged
    assert "ins>" not in changed.before
    assert "del>" not in changed.after


def test_a_changed_structure_is_compared_as_a_whole():
    table = "| tea | degrees |\n|---|---:|\n| green | 75 |"
    longer = f"{table}\n| black | 100 |"
    (replaced,) = blocks_of(table, longer)
    assert replaced.kind is BlockKind.REPLACED
    assert 'class="right"' in replaced.after, "the page's policy forbids style attributes"
    items = "1. boil the water\n2. wait"
    before_first, *rest = blocks_of(items, "1. fill the kettle\n2. boil the water\n3. wait")
    assert before_first.kind is BlockKind.ADDED
    assert {block.kind for block in rest} == {BlockKind.SAME}, "an item that moved is the same"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Tea <script>x</script>", "Tea <script>y</script>"),
        ("Read [this](https://a.example/1) now", "Read [this](https://a.example/2) now"),
        ("A word and *another* one", "A *word and another* one"),
        ("\ue002A mark\ue004", "\ue003A mark"),
    ],
)
def test_a_comparison_is_well_formed_and_escaped(before: str, after: str):
    for block in blocks_of(before, after):
        for html in (block.before, block.after, block.merged):
            assert "<script" not in html
            assert not {"\ue002", "\ue003", "\ue004"} & set(html)
            if html:
                assert tostring(fragment_fromstring(html), encoding="unicode").strip() == html.strip()


def test_a_note_is_opened_by_a_button_without_a_script():
    mark = popover_note(target="#source-1", kind="cite", label="[1]", note="<q>x</q>", name="note-7")
    assert 'popovertarget="note-7"' in mark
    assert 'popover class="note" id="note-7"' in mark
    assert 'aria-label="Show the passages of source 1"' in mark

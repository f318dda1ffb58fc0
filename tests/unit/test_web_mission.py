"""What the pages of a mission compute: groups of steps, differences of versions, marks that open."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.interfaces.web.mission_graph import NODES_MAX, draw_graph
from frasier.interfaces.web.popover_note import popover_note
from frasier.interfaces.web.version_diff import PieceKind, diff_versions
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


def text_of(pieces, without: PieceKind) -> str:
    return "".join(piece.text for piece in pieces if piece.kind is not without)


TEXTS = st.text(alphabet="ab \n.", max_size=80)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_a_comparison_has_both_versions(before: str, after: str):
    pieces = diff_versions(before, after)
    if all(piece.kind is not PieceKind.SKIPPED for piece in pieces):
        assert text_of(pieces, PieceKind.ADDED) == before
        assert text_of(pieces, PieceKind.REMOVED) == after
    else:
        assert len(before.splitlines()) >= 2


def test_a_comparison_shows_the_words_that_changed_and_skips_what_is_the_same():
    lines = [f"Line {number} stays.\n" for number in range(20)]
    before = [*lines[:10], "Tea is brewed with water of 80 degrees.\n", *lines[10:]]
    after = [*lines[:10], "Tea is brewed with water of 75 degrees.\n", *lines[10:]]
    pieces = diff_versions("".join(before), "".join(after))
    assert [
        (piece.kind, piece.text) for piece in pieces if piece.kind in {PieceKind.ADDED, PieceKind.REMOVED}
    ] == [
        (PieceKind.REMOVED, "80"),
        (PieceKind.ADDED, "75"),
    ]
    assert [piece.text for piece in pieces if piece.kind is PieceKind.SKIPPED] == ["8 lines are the same"] * 2


def test_a_note_is_opened_by_a_button_without_a_script():
    mark = popover_note(target="#source-1", kind="cite", label="[1]", note="<q>x</q>", name="note-7")
    assert 'popovertarget="note-7"' in mark
    assert 'popover class="note" id="note-7"' in mark
    assert 'aria-label="Show the passages of source 1"' in mark

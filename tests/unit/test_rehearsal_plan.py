"""Plans of the rehearsal: side by side, staffed by different people, within the limits, ending in one step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.llm import DecomposeInputs, GapsInputs, Passage, PlanInputs, StaffedRole, StepBrief
from frasier.llm.providers.rehearsal.decompose import decompose
from frasier.llm.providers.rehearsal.gaps import gaps
from frasier.llm.providers.rehearsal.plan import plan
from frasier.llm.reply_schemas import DecomposeReply, GapsReply, PlanReply

ROLES = tuple(
    StaffedRole(role=role, agent=role.title(), title=title, skills=skills)
    for role, title, skills in (
        ("chief_of_staff", "Chief of Staff", ("leadership",)),
        ("content", "Content Writer", ("copywriting", "content_planning")),
        ("qa", "Quality Reviewer", ("quality_assurance",)),
        ("research", "Research Analyst", ("deep_research", "data_analysis")),
        ("engineering", "Engineer", ("software_engineering", "database_architecture")),
    )
)
OUTLINE = tuple(
    Passage(
        number=n,
        title=title,
        text=f"# {title}\n\n{title} is an island.\n\n## Harbour\n\nIt is deep.\n\n## Water\n\nRain.",
    )
    for n, title in enumerate(("Amrum", "Borkum", "Juist", "Sylt"), start=1)
)


def planned(directive: str, **changes: object) -> PlanReply:
    given_inputs: dict[str, object] = {
        "roles": ROLES,
        "outline": OUTLINE,
        "web_search": False,
        "max_steps": 12,
        "max_parallel": 4,
        "max_queries_per_step": 6,
        "max_sources_per_step": 16,
    }
    return plan(PlanInputs(directive=directive, **{**given_inputs, **changes}))


def roots(reply: PlanReply) -> list[str]:
    return [step.key for step in reply.steps if not step.depends_on]


def ends(reply: PlanReply) -> list[str]:
    needed = {key for step in reply.steps for key in step.depends_on}
    return [step.key for step in reply.steps if step.key not in needed]


def test_aspects_are_researched_side_by_side_and_brought_together_in_one_last_step():
    reply = planned("Compare the ferries and the beaches of these islands.")
    assert [step.title for step in reply.steps] == ["Ferries", "Beaches", "Final document"]
    assert roots(reply) == ["research-1", "research-2"]
    assert ends(reply) == ["final"]
    assert "“ferries”" in reply.steps[0].task
    assert "Compare the ferries" in reply.steps[0].task


def test_several_agents_work_and_the_chief_of_staff_is_not_among_them():
    reply = planned("Compare the ferries, the beaches and the prices of these islands.")
    used = [step.role for step in reply.steps]
    assert used[0] == "research"
    assert used[-1] == "content"
    assert len(set(used)) >= 3
    assert "chief_of_staff" not in used


def test_a_step_goes_to_whose_skills_name_its_subject_and_a_skill_in_reviews_makes_no_reviewer():
    builder = StaffedRole(
        role="engineering",
        agent="Lin",
        title="Head of Engineering",
        skills=("code_review", "ferry_timetables"),
    )
    roles = (*(role for role in ROLES if role.role != "engineering"), builder)
    reply = planned("Compare the beaches and the ferry timetables of these islands.", roles=roles)
    assert [step.role for step in reply.steps] == ["research", "engineering", "content"]


def test_where_only_the_chief_of_staff_is_there_they_do_the_work():
    assert {step.role for step in planned("Compare ferries and beaches.", roles=ROLES[:1]).steps} == {
        "chief_of_staff"
    }


def test_a_directive_without_aspects_takes_those_that_the_sources_share():
    assert [step.title for step in planned("Summarise these documents").steps[:-1]] == ["Harbour", "Water"]


def test_shared_headings_are_found_in_openings_that_were_set_on_one_line():
    flat = tuple(Passage(number=p.number, title=p.title, text=" ".join(p.text.split())) for p in OUTLINE)
    assert [step.title for step in planned("Summarise these documents", outline=flat).steps[:-1]] == [
        "Harbour",
        "Water",
    ]


def test_without_aspects_and_shared_headings_the_sources_themselves_are_dealt_out():
    bare = tuple(Passage(number=p.number, title=p.title, text="An island.") for p in OUTLINE)
    reply = planned("Summarise these documents", outline=bare, max_parallel=2)
    assert [step.title for step in reply.steps[:-1]] == ["Amrum, Borkum", "Juist, Sylt"]
    asked = decompose(
        DecomposeInputs(
            brief=StepBrief(directive="Summarise these documents", task=reply.steps[0].task),
            source_titles=tuple(p.title for p in OUTLINE),
        )
    )
    assert [question for question in asked.questions if "Juist" in question] == []
    assert any("Amrum" in question for question in asked.questions)


def test_a_single_aspect_is_split_over_the_sources():
    reply = planned("How deep is the harbour?", outline=OUTLINE[:2])
    assert len(roots(reply)) == 2
    assert "“Amrum”" in reply.steps[0].task
    assert "“Borkum”" in reply.steps[1].task


def test_a_plan_that_was_refused_is_made_smaller():
    first = planned("Compare ferries, beaches, prices and weather.")
    second = planned("Compare ferries, beaches, prices and weather.", issues=("It has too many steps.",))
    assert len(second.steps) < len(first.steps)
    assert second.steps[0].sources_needed < first.steps[0].sources_needed
    assert second.steps[0].queries_needed < first.steps[0].queries_needed
    assert all(
        any(aspect in step.task for step in second.steps)
        for aspect in ("ferries", "beaches", "prices", "weather")
    )


def test_without_sources_and_search_the_founder_is_asked():
    assert "no source" in planned("Compare ferries and beaches.", outline=()).escalation
    assert planned("Compare ferries and beaches.", outline=(), web_search=True).escalation == ""


passages = st.lists(
    st.builds(Passage, number=st.integers(1, 9), title=st.text(max_size=60), text=st.text(max_size=200)),
    max_size=6,
).map(tuple)
directives = st.one_of(
    st.text(max_size=300),
    st.sampled_from(["Compare a, b, c, d, e, f and g of the towns", "Why?", "Summarise this", "???"]),
)


@given(
    directive=directives,
    outline=passages,
    roles=st.lists(st.sampled_from(ROLES), unique=True).map(tuple),
    steps=st.integers(1, 12),
    parallel=st.integers(1, 6),
    queries=st.integers(0, 6),
    sources=st.integers(0, 16),
    issues=st.sampled_from([(), ("Too wide.",)]),
)
def test_any_plan_keeps_the_limits_and_ends_in_one_step(
    directive, outline, roles, steps, parallel, queries, sources, issues
):
    reply = planned(
        directive,
        outline=outline,
        roles=roles,
        max_steps=steps,
        max_parallel=parallel,
        max_queries_per_step=queries,
        max_sources_per_step=sources,
        issues=issues,
    )
    assert PlanReply.model_validate_json(reply.model_dump_json()) == reply
    assert len(reply.steps) <= steps
    assert len(roots(reply)) <= max(parallel, 1)
    assert len(ends(reply)) == 1
    earlier: set[str] = set()
    for step in reply.steps:
        assert set(step.depends_on) <= earlier
        earlier.add(step.key)
        assert step.sources_needed <= sources
        assert step.queries_needed <= queries
        assert not roles or step.role in {role.role for role in roles}


@given(directive=directives, task=directives, titles=st.lists(st.text(max_size=40), max_size=4).map(tuple))
def test_any_task_is_taken_apart_into_questions_and_queries(directive, task, titles):
    reply = decompose(
        DecomposeInputs(
            brief=StepBrief(directive=directive, task=task, acceptance=("", "x" * 500)), source_titles=titles
        )
    )
    assert DecomposeReply.model_validate_json(reply.model_dump_json()) == reply


def test_a_task_of_one_subject_is_asked_for_it_and_for_its_limits():
    task = planned("Compare the ferries and the beaches of these islands.").steps[0].task
    reply = decompose(
        DecomposeInputs(
            brief=StepBrief(directive="Compare …", task=f"Ferries\n{task}", acceptance=("Cites sources.",))
        )
    )
    assert reply.questions[0] == "What do the sources say about ferries?"
    assert "limits" in reply.questions[1]
    assert reply.queries[0] == "ferries"
    assert reply.requirements == ["Cites sources."]


def test_what_reviewers_missed_is_asked_as_well():
    reply = decompose(
        DecomposeInputs(
            brief=StepBrief(directive="d", task="Describe the ferries."),
            feedback=("Nothing answers “winter timetable”.",),
        )
    )
    assert "What do the sources say about winter timetable?" in reply.questions


@pytest.mark.parametrize(
    ("text", "sufficient"),
    [("The ferry leaves twice a day.", True), ("The beach is made of shingle.", False)],
)
def test_a_gap_is_a_question_that_no_passage_answers(text, sufficient):
    reply = gaps(
        GapsInputs(
            brief=StepBrief(directive="d", task="ferries"),
            questions=("What do the sources say about ferries?",),
            passages=(Passage(number=1, title="Amrum", text=text),),
        )
    )
    assert reply.sufficient is sufficient
    assert bool(reply.gaps) is not sufficient
    assert any("ferry" in query for query in reply.queries) is not sufficient


@given(
    task=st.text(max_size=80),
    questions=st.lists(st.text(max_size=200), max_size=5).map(tuple),
    found=passages,
)
def test_any_gaps_fit_their_reply(task, questions, found):
    reply = gaps(GapsInputs(brief=StepBrief(directive=task, task=task), questions=questions, passages=found))
    assert GapsReply.model_validate_json(reply.model_dump_json()) == reply
    assert reply.sufficient is (not reply.gaps)


@pytest.mark.parametrize(
    ("directive", "words", "language"),
    [
        ("Summarise the book of 300 pages in 500 words", 500, "English"),
        ("Summarise this 80-page contract for the board", 0, "English"),
        ("Write a 2000-word paper on the bees of these islands", 2_000, "English"),
        ("Compare the ferries of these islands in about 20,000 words", 20_000, "English"),
        ("Write a 2000-word paper on the ferries of the islands", 2_000, "English"),
        ("Vergleiche die Fähren der Inseln auf 12 Seiten, mit einer Tabelle", 4_800, "German"),
        ("Write on 2 to 3 pages which of the islands has the best harbour", 1_200, "English"),
        ("Summarise the 300 pages of the report for the board of the islands", 0, "English"),
        ("Compare the ferries of the islands in at most 200 words", 200, "English"),
        ("Compare the ferries of the islands on no more than two pages", 800, "English"),
        ("Compare the ferries of the islands: which is the best? (Two pages)", 800, "English"),
        ("Vergleiche die Fähren der Inseln mit einer Tabelle in höchstens 200 Wörtern", 200, "German"),
        ("Comparez les traversiers des îles en deux pages au plus", 800, "French"),
        ("The report, 300 pages, is about the ferries of the islands: what does it say?", 0, "English"),
        ("Fähren?", 0, ""),
    ],
)
def test_length_and_language_are_those_that_the_directive_states(
    directive: str, words: int, language: str
) -> None:
    reply = planned(directive)
    assert (reply.words, reply.language) == (words, language)
    assert reply.reader
    assert reply.format

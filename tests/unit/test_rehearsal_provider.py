"""The rehearsal as a provider: every purpose answered, the same bytes for the same inputs, nothing slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import (
    AskInputs,
    Citations,
    ClassifyInputs,
    CoherenceInputs,
    ColumnToFill,
    ComparedText,
    CompareInputs,
    CritiqueInputs,
    DecomposeInputs,
    EvaluateInputs,
    ExtractInputs,
    GapsInputs,
    ImproveInputs,
    Inputs,
    JudgeInputs,
    MeasuredMission,
    Message,
    MethodInputs,
    OutlinedSection,
    OutlineInputs,
    Passage,
    PersonaInputs,
    PlanInputs,
    Predecessor,
    Provider,
    ProviderCall,
    Purpose,
    RejectedWork,
    ResultForm,
    ReviewInputs,
    ReviseInputs,
    RoutineOutcomeInputs,
    RoutineTurnInputs,
    SectionInputs,
    SelfTestInputs,
    SpokenTurn,
    StaffedRole,
    StatementToJudge,
    SteerInputs,
    StepBrief,
    SynthesizeInputs,
    TalkInputs,
    UpskillInputs,
    UsedArtefact,
    Verification,
    WrittenSection,
)
from frasier.llm.providers.rehearsal.chat_reply import talk
from frasier.llm.providers.rehearsal.classify import classify
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.llm.providers.rehearsal.self_test import self_test
from frasier.llm.reply_schemas import (
    ClassifyReply,
    CoherenceReply,
    CompareReply,
    CritiqueReply,
    DecomposeReply,
    EvaluateReply,
    ExtractReply,
    GapsReply,
    ImproveReply,
    JudgeReply,
    MethodReply,
    PersonaReply,
    PlanReply,
    ReviewReply,
    RoutineOutcomeReply,
    RoutineTurnReply,
    SelfTestReply,
    SteerReply,
    UpskillReply,
)
from frasier.prompts.outline import outline_shape
from support.machine_speed import scaled

TEXT = "The lock was built in 1893. It lifts barges by four metres, and it is closed in January."
PASSAGES = (
    Passage(number=1, title="Lock", text=TEXT),
    Passage(number=2, title="Weir", text="The weir is made of oak."),
)
CITED = Citations(score=1.0, substantive_lines=1, cited_lines=1, cited=(1,), unknown=(), quotable=2)
DIRECTIVE = "Describe the age and the height of the lock."
STATEMENT = StatementToJudge(text="The lock is old.", passages=())
BRIEF = StepBrief(directive=DIRECTIVE, task="t")
PAPER = replace(BRIEF, kind=DeliverableKind.REPORT, form=ResultForm(words=6_000))
OUTLINE = (
    OutlinedSection(heading="Main points", covers="What matters most.", words=1_000),
    OutlinedSection(heading="Age", covers="How old is the lock?", words=2_000),
)
ROLES = (
    StaffedRole(role="research", agent="Ada", title="Analyst", skills=("research",)),
    StaffedRole(role="content", agent="Ines", title="Writer", skills=("writing",)),
)
CASES: list[tuple[Purpose, Inputs, type | None]] = [
    (
        Purpose.PLAN,
        PlanInputs(
            directive=DIRECTIVE,
            roles=ROLES,
            outline=PASSAGES,
            web_search=False,
            max_steps=6,
            max_parallel=4,
            max_queries_per_step=4,
            max_sources_per_step=8,
        ),
        PlanReply,
    ),
    (
        Purpose.DECOMPOSE,
        DecomposeInputs(brief=StepBrief(directive=DIRECTIVE, task="age of the lock")),
        DecomposeReply,
    ),
    (
        Purpose.GAPS,
        GapsInputs(brief=BRIEF, questions=("How old is the lock?",), passages=PASSAGES),
        GapsReply,
    ),
    (
        Purpose.SYNTHESIZE,
        SynthesizeInputs(brief=BRIEF, questions=("How old is the lock?",), passages=PASSAGES),
        None,
    ),
    (
        Purpose.CRITIQUE,
        CritiqueInputs(
            brief=BRIEF,
            questions=("Lock?",),
            draft="- A lock [1]",
            citations=CITED,
            passages=PASSAGES,
            verification=Verification(),
        ),
        CritiqueReply,
    ),
    (
        Purpose.REVISE,
        ReviseInputs(
            brief=StepBrief(
                directive=DIRECTIVE,
                task="t",
                predecessors=(Predecessor(title="Weir", agent="Ada", text="- The weir is made of oak. [2]"),),
            ),
            questions=("Lock?",),
            passages=PASSAGES,
            draft="- The lock was built in 1893. [1]",
            gaps=("More on the weir",),
            verification=Verification(),
        ),
        None,
    ),
    (
        Purpose.OUTLINE,
        OutlineInputs(
            brief=PAPER,
            questions=("How old is the lock?",),
            passages=PASSAGES,
            sections_min=4,
            sections_max=8,
            section_words_max=2_000,
        ),
        outline_shape(4, 8, 2_000),
    ),
    (
        Purpose.SECTION,
        SectionInputs(brief=PAPER, outline=OUTLINE, number=2, passages=PASSAGES),
        None,
    ),
    (
        Purpose.COHERENCE,
        CoherenceInputs(
            brief=PAPER,
            outline=OUTLINE,
            sections=(
                WrittenSection(number=1, heading="Main points", text="- The lock was built in 1893. [1]"),
                WrittenSection(number=2, heading="Age", text="- The lock was built in 1893. [1]"),
            ),
            citations=CITED,
            verification=Verification(),
        ),
        CoherenceReply,
    ),
    (
        Purpose.JUDGE,
        JudgeInputs(statements=(STATEMENT,), today="Tuesday, 24 November 2026 (UTC)"),
        JudgeReply,
    ),
    (
        Purpose.EXTRACT,
        ExtractInputs(
            columns=(ColumnToFill(name="age", asks="How old is the lock?", kind="text"),),
            documents=PASSAGES,
            today="Tuesday, 24 November 2026 (UTC)",
        ),
        ExtractReply,
    ),
    (
        Purpose.REVIEW,
        ReviewInputs(
            directive=DIRECTIVE,
            task="t",
            acceptance=(),
            deliverable="- A lock [1]",
            citations=CITED,
            verification=Verification(),
            scope="full",
        ),
        ReviewReply,
    ),
    (Purpose.CLASSIFY, ClassifyInputs(message="Hello!"), ClassifyReply),
    (Purpose.TALK, TalkInputs(message="What about the lock?", memories=("The lock is old.",)), None),
    (
        Purpose.ASK,
        AskInputs(question="Why [1]?", directive="Tell of locks.", results=()),
        None,
    ),
    (
        Purpose.PERSONA,
        PersonaInputs(
            name="Alder",
            title="Locksmith",
            role="engineering",
            reason="Nobody here knows locks",
            found=PASSAGES,
            first=("You are the expert. " * 8, "You are calm. " * 8, "You begin there. " * 8, "Exact. " * 20),
        ),
        PersonaReply,
    ),
    (
        Purpose.UPSKILL,
        UpskillInputs(
            name="Alder",
            title="Locksmith",
            role="engineering",
            reason="two versions were rejected",
            identity="You are the expert. " * 8,
            soul="You are calm. " * 8,
            method="You begin there. " * 8,
            standards="Exact. " * 20,
            rejected=(RejectedWork(task="Describe the lock", text=TEXT, feedback="Its height is missing."),),
        ),
        UpskillReply,
    ),
    (
        Purpose.METHOD,
        MethodInputs(
            skill="lock keeping",
            title="Locksmith",
            reason="two versions were rejected",
            short="Say how high the lock is.",
            long="1. Measure the lock. " * 12,
            rejected=(RejectedWork(task="Describe the lock", text=TEXT, feedback="Its height is missing."),),
        ),
        MethodReply,
    ),
    (
        Purpose.IMPROVE,
        ImproveInputs(
            missions=(MeasuredMission(key="M1", title="The lock", figures=(("retries", 3),)),),
            colleagues=("heron: Heron, Head of Research",),
            skills=("deep_research",),
            prompts=("plan",),
            policies=("trials: alpha = 0.05",),
        ),
        ImproveReply,
    ),
    (
        Purpose.COMPARE,
        CompareInputs(
            directive=DIRECTIVE,
            task="t",
            first=ComparedText(text=TEXT, verification=Verification()),
            second=ComparedText(text="The lock is old.", verification=Verification()),
        ),
        CompareReply,
    ),
    (
        Purpose.ROUTINE_TURN,
        RoutineTurnInputs(kind="mentoring", subject="A lock was sent back", part=("It has no key.",)),
        RoutineTurnReply,
    ),
    (
        Purpose.ROUTINE_OUTCOME,
        RoutineOutcomeInputs(
            kind="debate",
            subject="Two verdicts on a lock",
            outcomes=("decision",),
            said=(SpokenTurn(name="Heron", text="It has no key."),),
        ),
        RoutineOutcomeReply,
    ),
    (
        Purpose.EVALUATE,
        EvaluateInputs(
            task="t", result="r", artefacts=(UsedArtefact(key="A1", title="The lock", text=TEXT),)
        ),
        EvaluateReply,
    ),
    (
        Purpose.STEER,
        SteerInputs(
            wish="Leave out the lock.",
            directive="Tell of locks and keys.",
            steps=(),
            roles=(),
            web_search=False,
            max_steps=4,
            max_parallel=2,
            max_queries_per_step=2,
            max_sources_per_step=2,
        ),
        SteerReply,
    ),
    (Purpose.SELF_TEST, SelfTestInputs(question="Answer with the word “ready”."), SelfTestReply),
]


def call(purpose: Purpose, inputs: Inputs) -> ProviderCall:
    return ProviderCall(
        model="rehearsal",
        messages=(Message(role="system", content="You are Ada."), Message(role="user", content="Do it.")),
        purpose=purpose,
        inputs=inputs,
        json_schema=None,
        schema_name="",
        max_output_tokens=6_000,
        temperature=0.4,
        timeout_s=30,
    )


@pytest.mark.parametrize(("purpose", "inputs", "reply_type"), CASES, ids=[case[0] for case in CASES])
async def test_every_purpose_is_answered_in_its_form(purpose, inputs, reply_type):
    provider: Provider = RehearsalProvider()
    reply = await provider.complete(call(purpose, inputs))
    await provider.close()
    assert reply.finish_reason == "stop"
    assert reply.tokens_in == 5
    assert reply.tokens_out > 0
    if reply_type is None:
        assert reply.text.strip()
    else:
        reply_type.model_validate_json(reply.text)


def test_every_purpose_has_a_case():
    assert {case[0] for case in CASES} == set(Purpose)


_EVERYTHING = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from test_rehearsal_provider import CASES, RehearsalProvider, call

async def main():
    provider = RehearsalProvider()
    print(json.dumps([(await provider.complete(call(*case[:2]))).text for case in CASES]))

asyncio.run(main())
"""


def test_the_same_inputs_give_the_same_bytes_in_every_process():
    def run(seed: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", _EVERYTHING, os.path.dirname(__file__)],  # noqa: PTH120
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    assert run("1") == run("2")


def test_sixty_passages_are_worked_through_in_a_moment():
    words = [
        "lock",
        "weir",
        "barge",
        "gate",
        "sluice",
        "water",
        "level",
        "winter",
        "spring",
        "toll",
        "keeper",
        "canal",
        "bridge",
        "mill",
        "wheel",
        "stone",
    ]
    passages = tuple(
        Passage(
            number=1 + n % 12,
            title=f"Canal {n % 12}",
            text=" ".join(
                f"The {words[(n * 7 + k) % 16]} of the {words[(n + k * 3) % 16]} was measured at {n * k} metres in {1800 + k}."
                for k in range(20)
            ),
        )
        for n in range(60)
    )
    inputs = SynthesizeInputs(
        brief=StepBrief(
            directive=DIRECTIVE, task="Find out what the sources say about “water level” and “toll”."
        ),
        questions=(
            "What do the sources say about water level?",
            "What do the sources say about toll?",
            "Who kept the lock?",
        ),
        passages=passages,
    )
    case = call(Purpose.SYNTHESIZE, inputs)
    provider = RehearsalProvider()

    def seconds() -> float:
        started = time.process_time()
        coroutine = provider.complete(case)
        with pytest.raises(StopIteration):
            coroutine.send(None)
        return time.process_time() - started

    # The best of three: what is measured is the work, not the neighbours on the machine.
    assert min(seconds() for _ in range(3)) < scaled(0.3)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Hi there", "casual"),
        ("Thanks, well done!", "casual"),
        ("", "casual"),
        ("Compare the two offers in the folder.", "simple_task"),
        ("How old is the lock?", "simple_task"),
        ("Hello, please summarise the minutes of May.", "simple_task"),
        ("Wer bist du?", "casual"),
        ("Bonjour, ça va ?", "casual"),
        ("¿Quién eres?", "casual"),
        ("Chi sei?", "casual"),
        ("Wat kun je?", "casual"),
        ("Olá, tudo bem?", "casual"),
        ("Hallo, bitte beschreiben Sie die Angebote.", "simple_task"),
        ("Bonjour, comparez les offres.", "simple_task"),
        ("Hola, compara las ofertas.", "simple_task"),
        ("Ciao, confronta le offerte.", "simple_task"),
        ("Hallo, vergelijk de offertes.", "simple_task"),
        ("Olá, compara as propostas.", "simple_task"),
        ("Build an app for booking berths, and launch it in spring.", "full_project"),
        ("Plan the relaunch end-to-end, with a roadmap.", "full_project"),
        ("Always state prices in EUR net.", "standing_rule"),
        ("Always state prices in EUR net. Compare the two offers in the folder.", "simple_task"),
        ("I want you to write a short poem about tea", "simple_task"),
    ],
)
def test_messages_are_classified_by_stated_rules(message, expected):
    reply = classify(ClassifyInputs(message=message))
    assert reply.classification == expected
    assert 0.5 <= reply.confidence <= 0.95


def test_talk_answers_from_what_is_recorded_and_says_that_no_model_did():
    answer = talk(
        TalkInputs(
            message="What did we decide about the crane?",
            memories=("The crane is rented until May.", "Lunch is at noon."),
            state=("2 missions are running.",),
        )
    )
    assert "Rehearsal" in answer
    assert "The crane is rented until May." in answer
    assert "Lunch" not in answer


def test_talk_admits_that_nothing_is_on_record():
    assert "Nothing on record" in talk(
        TalkInputs(message="What about the crane?", memories=("Lunch is at noon.",))
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which word says that you are ready? Answer with the word “ready”.", "ready"),
        ("What is 17 + 25?", "42"),
        ("Reply with OK", "OK"),
        ("Who are you?", "rehearsal"),
    ],
)
def test_the_self_test_is_answered_from_its_question(question, answer):
    assert self_test(SelfTestInputs(question=question)).answer == answer


@given(text=st.text(max_size=400), other=st.text(max_size=200))
def test_small_purposes_take_any_text(text, other):
    ClassifyReply.model_validate_json(classify(ClassifyInputs(message=text)).model_dump_json())
    self_test(SelfTestInputs(question=text))
    assert talk(TalkInputs(message=text, memories=(other,), state=(text,)))

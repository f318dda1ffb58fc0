"""Which words of a message become standing rules, and what is left of it to work on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.llm.providers.rehearsal.rule_form import rules_in
from frasier.llm.replies import ClassifyReply
from frasier.org.planning import separate_rules

RULE = "Always state prices in EUR net."
TASK = "Write a short poem about tea."


def understood(classification, *rules, confidence=0.9):
    return ClassifyReply(
        classification=classification, confidence=confidence, reasoning="It says so.", rules=list(rules)
    )


@pytest.mark.parametrize(
    ("text", "reply", "rules", "rest"),
    [
        (RULE, understood("standing_rule", RULE), (RULE,), None),
        (RULE, understood("standing_rule"), (RULE,), None),
        # A rule that is taken for a task and quoted whole leaves nothing to pay for.
        (RULE, understood("simple_task", RULE), (RULE,), None),
        (f"{RULE} Thanks!", understood("simple_task", RULE), (RULE,), None),
        (f"{TASK} {RULE}", understood("simple_task", RULE), (RULE,), TASK),
        (f"{RULE}\n\n{TASK}", understood("full_project", RULE), (RULE,), TASK),
        (f"{TASK}\nAlways  state prices\nin EUR net", understood("simple_task", RULE), (RULE,), TASK),
        ("Don’t ever use emojis. " + TASK, understood("simple_task", "Don't ever use emojis"), None, TASK),
        # Half a sentence is quoted, and the sentence stays whole.
        (
            "Compare the offers, and always state prices in EUR net.",
            understood("simple_task", RULE),
            (RULE,),
            "Compare the offers, and always state prices in EUR net.",
        ),
        (TASK, understood("simple_task"), (), TASK),
    ],
)
def test_rules_are_taken_and_the_rest_is_worked_on(text, reply, rules, rest):
    parts = separate_rules(text, reply)
    assert parts.rules == (rules if rules is not None else tuple(reply.rules))
    assert parts.rest == rest
    assert parts.refused == ()


@pytest.mark.parametrize(
    ("text", "reply", "why"),
    [
        (TASK, understood("simple_task", RULE), "not in your message"),
        (RULE, understood("standing_rule", "Prices are to be net."), "not in your message"),
        (TASK, understood("simple_task", "short"), "fewer than 2 words"),
        (RULE, understood("standing_rule", RULE, confidence=0.5), "perhaps not meant for all work"),
        (f"{TASK} {RULE}", understood("simple_task", RULE, confidence=0.5), "perhaps not meant for all work"),
        ("Always " + "mind the gap " * 200, understood("standing_rule"), "the most is 2,000"),
    ],
)
def test_what_is_not_recorded_is_said_with_the_way_to_record_it(text, reply, why):
    parts = separate_rules(text, reply)
    assert parts.rules == ()
    (line,) = parts.refused
    assert why in line
    assert "`frasier directives add" in line
    assert (parts.rest is None) == (reply.classification == "standing_rule")


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=60), max_size=4))
def test_no_text_breaks_it_and_every_rule_is_the_founders(text, rules):
    parts = separate_rules(text, understood("simple_task", *rules))
    assert set(parts.rules) <= set(rules)
    assert parts.rest is None or parts.rest == text or parts.rules


@pytest.mark.parametrize(
    "sentence",
    [
        "Always state prices in EUR net.",
        "Never use exclamation marks",
        "Please always cite the sources.",
        "From now on, write in British English.",
        "In future, use metric units.",
        "Don't ever use emojis.",
        "You must always quote the source.",
        "Verwende niemals Gendersternchen.",
        "Nenne Preise immer in EUR netto.",
        "Schreiben Sie immer auf Deutsch.",
        "Ab sofort schreibst du auf Deutsch.",
        "Utilise toujours le système métrique.",
        "N'utilise jamais d'emoji.",
        "À partir de maintenant, écris en français.",
        "Indica siempre los precios netos.",
        "A partir de ahora, escribe en español.",
    ],
)
def test_a_sentence_that_opens_as_a_rule_is_one(sentence):
    assert rules_in(sentence) == ([sentence], "")
    assert rules_in(f"{sentence}\n{TASK}") == ([sentence], TASK)


@pytest.mark.parametrize(
    "sentence",
    [
        "I want you to write a short poem about tea",
        "Never mind.",
        "What is the price from now on?",
        "Tea is always brewed hot.",
        "I always forget the milk.",
        "Compare the offers and always cite the sources.",
        "I prefer tea by default.",
        "Our policy is under review.",
        "Remember that the harbour opens at nine.",
        "Make sure that you finish by Friday.",
        "In the future of tea, what matters is water.",
        "Wie immer danke ich dir.",
        "Ich schreibe immer auf Deutsch.",
        "Schon immer wollte ich das wissen.",
        "Llego siempre tarde a casa.",
    ],
)
def test_a_wish_a_question_and_a_statement_are_no_rules(sentence):
    assert rules_in(sentence) == ([], sentence)


@given(st.text(max_size=300))
def test_the_form_is_found_in_any_text(text):
    rules, rest = rules_in(text)
    assert all(rule in text for rule in rules)
    assert rules or rest == text.strip()

"""`frasier doctor`: everything is looked at, what is wrong is named, and the exit code goes by it."""

from __future__ import annotations

import pytest

from frasier.org.conversation import TROUBLE
from frasier.org.execution import block_for_founder
from frasier.org.governance import ask_founder, withdraw_questions
from frasier.store import enqueue_effect
from frasier.workflow import SYSTEM, get_task
from support.cli import FrasierProgram
from support.cli_states import blocked_mission, planned_mission
from support.embedding_server import EmbeddingServer, refusing, well
from support.model_server import ModelServer, ScriptedAnswer


def checks_of(document) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in document["checks"]}


def test_a_fresh_organisation_is_in_order_and_says_that_it_rehearses(frasier: FrasierProgram):
    document = frasier.json("doctor")
    assert document["healthy"] is True
    checks = checks_of(document)
    assert {check["state"] for check in document["checks"]} == {"ok", "warn"}
    assert {name for name, check in checks.items() if check["state"] == "warn"} == {
        "model T1",
        "model T2",
        "model T3",
        "web search",
    }
    assert "rehearsal" in checks["model T1"]["found"]
    assert "FRASIER_WEB__SEARCH" in checks["web search"]["hint"]
    assert "cannot change events" in checks["append-only"]["found"]
    shown = frasier("doctor").out
    assert "Everything is in order, with 4 remarks." in shown
    assert "written, read and removed" in shown


async def test_what_waits_and_what_failed_are_remarks(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        planned = await blocked_mission(tx, home)
        await enqueue_effect(tx, kind="publish.folder", key="k", stream=planned.mission.id, payload={})
        await tx.execute(
            "update store_effects set state = 'failed', error = 'no place left', settled_at = now()"
        )
    checks = checks_of(frasier.json("doctor"))
    assert checks["blocked tasks"]["state"] == "warn"
    assert "The water of tea" in checks["blocked tasks"]["found"]
    assert checks["outbox"]["state"] == "warn"
    assert "no place left" in checks["outbox"]["found"]
    assert "No check failed, but work has stopped: outbox." in frasier("doctor").out


async def test_work_that_a_cause_stopped_is_not_in_order_and_a_question_of_the_work_is(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        water = await get_task(tx, planned.steps["water"].task_id)
        await block_for_founder(tx, water, reason="Which water?", action="say it", actor=SYSTEM, asks=True)
    assert checks_of(frasier.json("doctor"))["stopped work"]["state"] == "ok"
    assert "Everything is in order" in frasier("doctor").out
    async with db.transaction() as tx:
        storage = await get_task(tx, planned.steps["storage"].task_id)
        await block_for_founder(tx, storage, reason="The key is refused.", action="renew it", actor=SYSTEM)
    check = checks_of(frasier.json("doctor"))["stopped work"]
    assert (check["state"], check["stops_work"]) == ("warn", True)
    stopped = (
        f"The storage of tea of the mission {planned.mission.title!r}: The key is refused. Please renew it."
    )
    assert check["found"] == f"1 task of 1 mission: {stopped}"
    assert "frasier inbox" in check["hint"]
    assert "No check failed, but work has stopped: stopped work." in frasier("doctor").out
    async with db.transaction() as tx:
        await withdraw_questions(tx, storage.id)
        talk = {"mission_id": None, "task_id": storage.id, "question": "Answer: Hello: The key is refused."}
        await ask_founder(tx, kind=TROUBLE, **talk, options=["continue"], place=("answer",))
    found = checks_of(frasier.json("doctor"))["stopped work"]["found"]
    assert found == "1 task: Answer: Hello: The key is refused."


def test_the_owners_role_is_a_remark(frasier: FrasierProgram, server, database_name):
    checks = checks_of(
        frasier.json("doctor", FRASIER_DATABASE_URL=server.url("frasier_owner", database_name))
    )
    assert checks["append-only"]["state"] == "warn"
    assert "frasier_app" in checks["append-only"]["hint"]


def test_an_unreachable_database_fails_and_ends_the_examination(frasier: FrasierProgram):
    document = frasier.json(
        "doctor", code=7, FRASIER_DATABASE_URL="postgresql://me:geheim@localhost:1/nothing"
    )
    assert document["healthy"] is False
    checks = checks_of(document)
    assert checks["database"]["state"] == "fail"
    assert checks["everything else"]["state"] == "skipped"
    assert "geheim" not in str(document)


def test_a_wrong_setting_fails_and_is_named_without_its_value(frasier: FrasierProgram):
    document = frasier.json("doctor", code=8, FRASIER_LLM__CAPS__DAY_USD="plenty")
    settings = checks_of(document)["settings"]
    assert settings["state"] == "fail"
    assert "FRASIER_LLM__CAPS__DAY_USD" in settings["found"]
    assert "plenty" not in settings["found"]


def test_settings_are_named_with_the_file_that_holds_them_and_without_their_values(frasier: FrasierProgram):
    file = frasier.home / "settings.env"
    file.write_text("export FRASIER_LLM__API_KEY=geheim\nFRASIER_LOG_LEVEL=error\n")
    settings = checks_of(frasier.json("doctor", FRASIER_LLM__PROVIDER="rehearsal"))["settings"]
    assert settings["state"] == "ok"
    assert "FRASIER_LLM__PROVIDER" in settings["found"]
    assert settings["found"].endswith(f"; in {file}: FRASIER_LLM__API_KEY, FRASIER_LOG_LEVEL.")
    assert "geheim" not in str(settings)


def test_an_unknown_setting_is_named_with_its_file_and_what_can_be_set_instead(frasier: FrasierProgram):
    file = frasier.home / "settings.env"
    file.write_text("FRASIER_LLM__T9_MODEL=m\n")
    settings = checks_of(frasier.json("doctor", code=8))["settings"]
    assert settings["found"] == f"FRASIER_LLM__T9_MODEL in {file} is not a setting."
    assert "Did you mean FRASIER_LLM__T" in settings["hint"]
    assert f"in {file}: FRASIER_LLM__T9_MODEL." in settings["hint"]
    group = checks_of(frasier.json("doctor", code=8, FRASIER_LLM__T9="m"))["settings"]
    assert group["found"] == "FRASIER_LLM__T9 is not a setting."
    assert "Did you mean FRASIER_LLM?" not in group["hint"]


def test_a_home_that_cannot_be_used_fails(frasier: FrasierProgram):
    (frasier.home / "file").write_text("")
    document = frasier.json("doctor", code=8, FRASIER_HOME=str(frasier.home / "file" / "home"))
    wrong = checks_of(document)["settings"]
    assert wrong["state"] == "fail"
    assert f"{frasier.home / 'file'} is not a directory" in wrong["found"]
    assert "Set FRASIER_HOME to a directory" in wrong["hint"]


def test_a_model_whose_replies_are_no_completions_is_named_once(frasier: FrasierProgram):
    with ModelServer(lambda _: ScriptedAnswer(body="<html>Log in</html>")) as server:
        models = {
            "FRASIER_LLM__BASE_URL": server.base_url,
            "FRASIER_LLM__PRICES": '{"m": {"input": 1, "output": 1}}',
        }
        named = {f"FRASIER_LLM__T{number}_MODEL": "m" for number in (1, 2, 3)}
        document = frasier.json("doctor", code=6, **models, **named)
    found = checks_of(document)["model T1"]["found"]
    assert "answered with a malformed completion" in found
    assert found.count("m at 127.0.0.1") == 1


def test_a_model_that_does_not_answer_fails_with_its_reason(frasier: FrasierProgram):
    models = {"FRASIER_LLM__BASE_URL": "http://127.0.0.1:1/v1", "FRASIER_LLM__ATTEMPTS": "1"}
    prices = '{"m": {"input": 1, "output": 1}}'
    named = {f"FRASIER_LLM__T{number}_MODEL": "m" for number in (1, 2, 3)}
    document = frasier.json("doctor", code=6, FRASIER_LLM__PRICES=prices, **models, **named)
    model = checks_of(document)["model T2"]
    assert model["state"] == "fail"
    assert model["found"]
    assert "FRASIER_LLM__T2_MODEL" in model["hint"]


KEY = "sk-emb-0123456789abcdef"


def encoder_at(address: str) -> dict[str, str]:
    """Settings of an encoder behind HTTP."""
    prefix = "FRASIER_MEMORY__EMBEDDING__"
    return {
        f"{prefix}PROVIDER": "openai",
        f"{prefix}BASE_URL": address,
        f"{prefix}MODEL": "m",
        f"{prefix}API_KEY": KEY,
        f"{prefix}DIMENSION": "8",
    }


@pytest.mark.parametrize(
    ("answer", "code", "state", "found"),
    [
        (well(), 0, "ok", "openai: it answered"),
        (refusing(401, f"Incorrect API key provided: {KEY}"), 8, "fail", "401"),
        (refusing(500), 0, "warn", "500"),
    ],
)
def test_a_key_for_the_encoder_is_tried(frasier: FrasierProgram, answer, code: int, state: str, found: str):
    with EmbeddingServer(answer) as server:
        document = frasier.json("doctor", code=code, **encoder_at(server.base_url))
    encoder = checks_of(document)["memory encoder"]
    assert encoder["state"] == state
    assert found in encoder["found"]
    assert bool(encoder["hint"]) == (state != "ok")
    assert KEY not in str(document)


def test_the_encoder_of_this_machine_is_looked_at_without_a_question(frasier: FrasierProgram):
    assert "whole" in checks_of(frasier.json("doctor"))["memory encoder"]["found"]
    wrong = {"FRASIER_MEMORY__EMBEDDING__MODEL_PATH": str(frasier.home / "no-such-model")}
    encoder = checks_of(frasier.json("doctor", **wrong))["memory encoder"]
    assert (encoder["state"], "no-such-model" in encoder["found"]) == ("warn", True)
    none = checks_of(frasier.json("doctor", FRASIER_MEMORY__EMBEDDING__PROVIDER="none"))["memory encoder"]
    assert (none["state"], "by their words" in none["found"]) == ("ok", True)


def test_a_home_without_the_key_of_its_subscriptions_is_noticed(frasier: FrasierProgram):
    assert checks_of(frasier.json("doctor"))["subscriptions"]["found"] == "none"
    frasier("subscriptions", "add", "ops", "https://example.org/events")
    assert "signed with the key of this home" in checks_of(frasier.json("doctor"))["subscriptions"]["found"]
    key = frasier.home / "subscriptions.key"
    kept = key.read_bytes()
    key.unlink()
    lost = checks_of(frasier.json("doctor"))["subscriptions"]
    assert (lost["state"], lost["found"].partition(" ")[0]) == ("warn", "ops")
    assert "frasier subscriptions rotate-secret ops" in lost["hint"]
    key.write_bytes(kept)
    assert checks_of(frasier.json("doctor"))["subscriptions"]["state"] == "ok"

"""What went wrong with remembering before: each pain by its number or letter, and what the board does instead."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from pydantic import SecretStr

from frasier.board import add_member, make_board
from frasier.board.external_memory.factory import make_external_memory
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.board.gates.single_use import UsedElsewhere
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.http import make_app
from frasier.kernel.errors import InvalidInput, Stale, TransitionRefused
from frasier.memory import EmbeddingSettings, MemorySettings, issue_token, open_engine, revoke_token
from frasier.memory.posting_backfill import index_pending
from frasier.workflow import FOUNDER
from support.board_team import BOARD, DESIGN, WANTED
from support.brain import open_memory_api
from support.embedding_server import EmbeddingServer, refusing
from support.task_walk import completion_move, create_reviewed_task, declare_tests
from support.team import liaison_answers
from support.web_server import Reply, WebServer

STOPPED = {"reason": "DB locked", "owner": "liaison", "action": "unlock it"}


@pytest.fixture
def owner(server, database_name):
    """The database as its owner: what makes one of its tables fail for the application."""
    with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as connection:
        yield connection


async def rows(db, text, *values):
    async with db.transaction() as tx:
        cursor = await tx.execute(text, values)
        return await cursor.fetchall()


async def markers(db, task):
    """The markers of a task, oldest first."""
    found = await rows(
        db,
        "select m.content from memory_items m join workflow_tasks t on t.id = m.task_id"
        " where m.kind = 'marker' and t.slug = %s order by m.num",
        task,
    )
    return [row["content"] for row in found]


def with_brain(team, url, key):
    """The same team, whose board tells an external memory of every move."""
    brain = make_external_memory(ExternalMemorySettings(url=url, token=SecretStr(key)))
    return replace(team, board=replace(team.board, external_memory=brain))


async def intents(db):
    """What the brain was told of: whether it has it, and whether the move was made."""
    found = await rows(
        db,
        "select remote_id is not null as told, committed_at is not null as made from board_external_memory_intents",
    )
    return [(row["told"], row["made"]) for row in found]


async def test_pain_02_an_answer_401_to_the_marker_is_no_success(db, team):
    """Writes that were answered 401 counted as done. Here the brain is well, and does not take this one."""
    await team.ready()
    session = await team.asked("anna")
    well = Reply('{"status": "ok"}', content_type="application/json")
    stored = '{"id": "01890a5d-ac96-774b-bcce-b302099a8057", "action": "created", "repeated": false}'
    async with WebServer() as web:
        web.routes["/api/v1/health"] = well
        web.routes["/api/v1/contribute"] = Reply(stored, status=401, content_type="application/json")
        told = with_brain(team, web.url(""), "brain-token")
        given = {"task": "tea", "memory_query_session": session}
        assert isinstance(await told.refused("anna", "task_claim", **given), TransitionRefused)
        assert await intents(db) == [(False, False)]
        web.routes["/api/v1/contribute"] = Reply(stored, status=201, content_type="application/json")
        await told("anna", "task_claim", **given)
    assert await intents(db) == [(True, True)]


async def test_pain_02_a_key_that_the_brain_revoked_is_told_at_the_next_move(db, team):
    """Over a socket, with our own API as the brain."""
    await team.ready()
    stop = asyncio.Event()
    async with db.transaction() as tx:
        key = await issue_token(tx, "board", ["shared"])
    with listening_on("127.0.0.1", 0, service="The brain") as listening:
        running = asyncio.create_task(serve_until(stop, make_app(team.engine, {}), listening))
        try:
            told = with_brain(team, f"http://127.0.0.1:{listening.getsockname()[1]}", key)
            attempt = await told.claim("anna", "tea")
            async with db.transaction() as tx:
                await revoke_token(tx, "board")
            work = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
            refused = await told.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=work)
        finally:
            stop.set()
            await running
    assert isinstance(refused, TransitionRefused)
    assert await intents(db) == [(True, True)]


async def test_pain_02_a_marker_is_not_dropped_for_being_short_or_ending_in_a_question(team, db):
    """The quality filter refused "TASK BLOCKED: DEV fix-login (HomePage) — DB locked", and nobody was told."""
    await team.ready("fix-login")
    await team("anna", "task_block", task="fix-login", **STOPPED | {"action": "unlock it?"})
    await team("lia", "task_restore", task="fix-login", note="?")
    kept = await markers(db, "fix-login")
    assert kept[-2:] == [
        "TASK BLOCKED: PDSA fix-login (kettle) — DB locked — liaison must unlock it?",
        "TASK RESTORED: LIAISON fix-login (kettle) — ?",
    ]
    listed = (await team("dan", "memory_list", kinds=["marker"]))["memories"]
    assert kept[-2] in [one["snippet"] for one in listed]
    async with db.transaction() as tx:
        await index_pending(tx, 100)
    found = await team("dan", "memory_search", query="fix-login DB locked", kinds=["marker"])
    assert found["results"][0]["text"] == kept[-2]


@pytest.mark.parametrize("table", ["memory_items", "events"])
async def test_pain_02_without_its_record_no_move_is_made(team, owner, table):
    """ "Audit trail = transaction" was never true. Here a move whose record cannot be written did not happen."""
    attempt = await team.claim("anna", await team.ready())
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
    given = {"task": "tea", "attempt": attempt, "fields": fields}
    kind = "marker" if table == "memory_items" else "task.submit_design"
    owner.execute(f"alter table {table} add constraint broken check (kind <> '{kind}') not valid")
    with pytest.raises(Exception, match="broken"):
        await team("anna", "task_deliver", **given)
    assert await team.place("tea") == ("active", "pdsa")
    assert "pdsa_ref" not in (await team("anna", "task_get", task="tea"))["fields"]
    owner.execute(f"alter table {table} drop constraint broken")
    await team("anna", "task_deliver", **given)
    assert await team.place("tea") == ("approval", "liaison")


@pytest.mark.parametrize("session", ["auto-claim", "auto-sse", "yes", "s-1", "x" * 128])
async def test_pain_08_a_search_is_one_that_was_made_and_the_engine_makes_none_up(team, session):
    """Any text opened the gate, and later the server itself filled in "auto-claim"."""
    await team.ready()
    assert (
        "nobody asked"
        in (await team.refused("anna", "task_claim", task="tea", memory_query_session=session)).message
    )
    assert "lacks memory_query_session" in (await team.refused("anna", "task_claim", task="tea")).message
    mine = await team.asked("anna")
    held = await team("anna", "task_claim", task="tea", memory_query_session=mine)
    assert held["fields"]["memory_query_session"] == mine


async def test_pain_08_the_top_hit_of_a_search_is_nobodys_contribution(team):
    """The service took the first thing that a search found for the thought that was stored."""
    await team.learned("dan")
    attempt = await team.claim("anna", await team.ready())
    [hit] = (await team("anna", "memory_search", query="dan learned kettles"))["results"]
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": hit["id"]}
    closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    assert "dan saved" in closed.message
    none = await team.refused(
        "anna", "task_deliver", task="tea", attempt=attempt, fields={"pdsa_ref": DESIGN}
    )
    assert "lacks memory_contribution_id" in none.message


async def test_pain_11_of_many_who_write_at_once_nobody_loses_what_they_wrote(team):
    """Read, change, write back: what another had written in between was gone. Here one wins, and the rest are told."""
    await team.ready()
    version = (await team("lia", "task_get", task="tea"))["version"]
    wanted = [f"Wish {n}." for n in range(8)]
    ended = await asyncio.gather(
        *(
            team(who, "task_edit", task="tea", version=version, fields={"constraints": wish})
            for who, wish in zip(("lia", "anna") * 4, wanted, strict=True)
        ),
        return_exceptions=True,
    )
    [won] = [place for place, one in enumerate(ended) if isinstance(one, dict)]
    assert {type(one) for place, one in enumerate(ended) if place != won} == {Stale}
    assert (await team("lia", "task_get", task="tea"))["fields"]["constraints"] == wanted[won]


async def test_pain_11_what_a_move_answers_is_what_is_there_afterwards(team, tmp_path):
    """Changes of role were told as done, and did not stick."""
    await create_reviewed_task(team, tmp_path)
    back = {"rework_reason": "It leaks.", "rework_target_role": "qa"}
    said = await team("lia", "task_move", task="tea", move="send_back_to", fields=back)
    for who in ("lia", "quinn", "dan"):
        shown = await team(who, "task_get", task="tea")
        assert {name: shown[name] for name in ("status", "role", "version")} == {
            name: said[name] for name in ("status", "role", "version")
        }
    assert (said["status"], said["role"]) == ("rework", "qa")
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_pain_12_questions_are_not_stored_and_recovery_asks_none(team, db):
    """Recovery asked the memory; its questions were stored, and came back as their own answers."""
    question = "TASK START or TASK BLOCKED markers for the dev agent: what tasks were in flight, and why?"
    attempt = await team.claim("anna", await team.ready())
    before = await rows(db, "select id from memory_items order by num")
    for who in ("anna", "dan"):
        await team(who, "task_recover")
        for _ in range(3):
            found = await team(who, "memory_search", query=question, session=f"s-{who}")
            assert not [hit for hit in found["results"] if question in hit["text"]]
    assert await rows(db, "select id from memory_items order by num") == before
    [held] = (await team("anna", "task_recover"))["holding"]
    assert (held["task"], held["attempt"]) == ("kettle/tea", attempt)


async def test_pain_12_one_correction_beats_what_is_wrong_however_often_it_was_said_and_read(team):
    """What is said again is the same memory, so that there is one thing to correct; being read often is no proof."""
    question = "at how many degrees does the kettle boil?"
    everybody = ("anna", "dan", "quinn", "dora")
    said = {
        (await team(who, "memory_save", content=text))["id"]
        for who in everybody
        for text in ("The kettle boils at 90 degrees.", "The kettle boils at 90 degrees")
    }
    assert len(said) == 1
    for who in everybody * 3:
        await team(who, "memory_search", query=question)
    right = "The kettle boils at 100 degrees."
    correction = {"type": "superseded", "replacement": right, "reason": "It was measured."}
    await team("boss", "memory_correct", id=said.pop(), **correction)
    found = await team("quinn", "memory_search", query=question)
    assert [hit["text"] for hit in found["results"]] == [right]


async def test_pain_a_in_one_call_an_agent_that_lost_everything_knows_where_it_was(team, owner):
    """Five pending items were lost, and he led each agent back by hand. No search and no memory is on this way."""
    pending = [f"item {n}" for n in range(5)]
    attempt = await team.claim("anna", await team.ready())
    await team("anna", "task_note", state={"task": "tea", "step": "draw the spout", "pending": pending})
    await team.ready("cup")
    await team("anna", "task_block", task="cup", **STOPPED)
    tables = owner.execute("select tablename from pg_tables where tablename like 'memory\\_%'").fetchall()
    for (table,) in tables:
        owner.execute(SQL("revoke all on {} from frasier_app").format(Identifier(table)))
    first = await team("anna", "task_recover")
    assert first == await team("anna", "task_recover") | _clock(first)
    assert first["you"]["roles"] == ["pdsa"]
    [held] = first["holding"]
    assert (held["task"], held["attempt"], held["status"]) == ("kettle/tea", attempt, "active")
    assert [event["what"] for event in held["latest"]] == ["created", "ready", "start"]
    assert first["stood"]["state"]["pending"] == pending
    [blocked] = [one for one in (await team("lia", "task_recover"))["waiting"] if "blocked" in one["why"]]
    assert blocked["task"] == "kettle/cup"


def _clock(found):
    """What passes of itself: how long something waits."""
    return {"waiting": found["waiting"]}


async def test_pain_a_what_others_did_meanwhile_is_told(team):
    await team.designed()
    back = {"rework_reason": "The spout points at the cook."}
    await team("lia", "task_move", task="tea", move="reject_design", fields=back)
    [changed] = (await team("anna", "task_recover"))["changed"]
    assert [(one["what"], one["said"]) for one in changed["events"]] == [
        ("reject_design", "The spout points at the cook.")
    ]


async def test_pain_b_every_move_has_its_event_and_its_marker_or_is_none(team, db, tmp_path):
    """Documenting was optional: the system looked available while it forgot."""
    await create_reviewed_task(team, tmp_path)
    await team("lia", "task_move", **completion_move())
    events = (await team("lia", "task_history", task="tea", limit=500))["events"]
    moves = [one for one in events if one["what"] not in {"evidence", "edit"}]
    *written, summary = await markers(db, "tea")
    assert summary.startswith("TASK SUMMARY: ")
    assert len(written) == len(moves) == 13
    assert written[0].startswith("TASK CREATED: ")
    for event, marker in zip(moves[1:], written[1:], strict=True):
        if event["what"] == "start":
            assert marker.startswith("TASK START: ")
        else:
            assert marker.startswith(f"TASK {event['before']}→{event['after']}: ")
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_pain_b_a_move_is_kept_while_nothing_can_be_indexed_and_what_is_owed_is_shown(team, db):
    """The index comes after the record, from what is owed: its lag can be seen, and costs no move."""
    with EmbeddingServer(refusing(401)) as encoders:
        settings = MemorySettings(
            embedding=EmbeddingSettings(
                provider="openai",
                model="m",
                base_url=encoders.base_url,
                api_key=SecretStr("sk-emb-0123456789abcdef"),
                dimension=8,
            )
        )
        async with open_engine(db, settings, owner_url=db.url, encode_saves=False) as engine:
            dark = replace(team, engine=engine)
            await dark.learned("dan")
            await engine.embed_due()
            assert (await dark("anna", "memory_health"))["status"] == "degraded"
            await dark.designed()
            assert await dark.place("tea") == ("approval", "liaison")
            await engine.embed_due()
            health = await dark("anna", "memory_health")
    assert health["pending"] + health["retry"] + health["failed"] > 0
    assert len(await markers(db, "tea")) == 4


async def test_pain_f_answers_that_are_another_tasks_are_refused_however_they_are_spelled(team):
    """Rubber stamps: the same three answers stood under eight tasks."""
    await team.designed()
    await team.designed("cup")
    await team.approve("tea")
    stamp = liaison_answers("tea", "approval")
    for spelled in (
        stamp,
        {name: text.upper() for name, text in stamp.items()},
        {name: f"  {text.replace(' ', '   ')}\n" for name, text in stamp.items()},
    ):
        fields = {"liaison_review": "Looks good.", **spelled}
        closed = await team.refused("lia", "task_move", task="cup", move="approve_design", fields=fields)
        assert "liaison_q1_approval of cup is that of tea" in closed.message
    await team.approve("cup")


async def test_pain_f_what_was_learned_from_one_task_is_not_handed_in_for_another(team):
    await team.ready()
    await team.ready("cup")
    one, other = await team.claim("anna", "tea"), await team.claim("anna", "cup")
    memory = await team.learned("anna")
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": memory}
    await team("anna", "task_deliver", task="tea", attempt=one, fields=fields)
    for spelled in (memory, memory.upper(), f" {memory} "):
        again = fields | {"memory_contribution_id": spelled}
        closed = await team.refused("anna", "task_deliver", task="cup", attempt=other, fields=again)
        assert "memory_contribution_id of cup is that of tea" in closed.message
    await team.deliver("anna", "cup", other, pdsa_ref=DESIGN)


WORDS = "Ran it twice: it whistles, and nothing leaks."
STAMPS = (
    WORDS,
    WORDS.upper(),
    f"  {WORDS.replace(' ', '   ')}\n",
    "Ran it twice -- it whistles and nothing leaks!!",
    "R a n it twice it whistles and nothing leaks \N{WHITE HEAVY CHECK MARK}",
)


async def test_pain_f_a_review_is_of_the_task_that_it_stands_at_however_it_is_spelled(team, tmp_path):
    """One and the same "all green" stood under task after task."""
    for task in ("tea", "cup"):
        await team.built(task)
        await declare_tests(team, tmp_path)
        await team("quinn", "task_check", task=task, command="unit")
    review = {"move": "pass_tests", "fields": {"qa_review": WORDS}}
    await team("quinn", "task_move", task="tea", **review)
    for spelled in STAMPS:
        said = {"qa_review": spelled}
        version = (await team("quinn", "task_get", task="cup"))["version"]
        for tool, given in (
            ("task_move", {"move": "pass_tests", "fields": said}),
            ("task_edit", {"version": version, "fields": said}),
        ):
            refused = await team.refused("quinn", tool, task="cup", **given)
            assert refused.code == "used_elsewhere"
            assert "qa_review of cup is that of tea" in refused.message
            assert "say of it what you see" in refused.hint
    # Whose words they are is nobody's excuse: the designer copies the tester's of another task.
    await team("quinn", "task_move", task="cup", move="pass_tests", fields={"qa_review": "It whistles, too."})
    copied = {"move": "pass_design", "fields": {"pdsa_review": WORDS}}
    assert (await team.refused("anna", "task_move", task="cup", **copied)).code == "used_elsewhere"
    # Of the task itself it may be said again, and what is taken back is free.
    await team("anna", "task_move", task="tea", move="send_back", fields={"rework_reason": "It leaks."})
    attempt = await team.claim("dan", "tea")
    again = {"implementation": "src/whistle.py", "rework_context": "It leaks. Not any more."}
    await team.deliver("dan", "tea", attempt, **again)
    for words in (WORDS, "It whistles well."):
        version = (await team("quinn", "task_get", task="tea"))["version"]
        await team("quinn", "task_edit", task="tea", version=version, fields={"qa_review": words})
    await team("anna", "task_move", task="cup", **copied)


async def test_pain_f_what_no_review_is_may_be_alike(team):
    """Two tasks may be asked for, built and sent back in the same words: only judgements are one's own."""
    for task in ("tea", "cup"):
        attempt = await team.claim("anna", await team.ready(task))
        await team.deliver("anna", task, attempt, pdsa_ref=DESIGN, findings="Kettles are hot.")
        said = {"move": "reject_design", "fields": {"rework_reason": "It does not whistle."}}
        await team("lia", "task_move", task=task, **said)
    table = await team("lia", "task_process", process="pdsa_task")
    own = {one["field"] for one in table["fields"] if one.get("own_words")}
    assert {"qa_review", "pdsa_review", "liaison_review", "pr_review_reasoning"} < own
    assert {"description", "rework_reason", "implementation", "findings"}.isdisjoint(own)


async def test_pain_f_of_two_who_say_the_same_at_once_one_is_refused(team):
    """However close to each other: neither looks before the other has written."""
    tasks = [await team.create(f"t{n}") for n in range(4)]
    for n in range(5):
        said = {"fields": {"liaison_review": f"{WORDS} {n}"}}
        versions = [(await team("lia", "task_get", task=task))["version"] for task in tasks]
        edits = [
            team("lia", "task_edit", task=task, version=version, **said)
            for task, version in zip(tasks, versions, strict=True)
        ]
        done = await asyncio.gather(*edits, return_exceptions=True)
        refused = [one for one in done if isinstance(one, UsedElsewhere)]
        assert (len(refused), len(done)) == (3, 4), done
        [winner] = [task for task, one in zip(tasks, done, strict=True) if not isinstance(one, Exception)]
        assert all(f"is that of {winner}:" in one.message for one in refused)


async def test_pain_f_a_search_serves_one_task_and_what_was_learned_serves_one_task(team):
    """The one search in the morning stood under all tasks of the day."""
    for task in ("tea", "cup"):
        await team.ready(task)
    session = await team.asked("anna")
    held = await team("anna", "task_claim", task="tea", memory_query_session=session)
    await team("anna", "memory_search", query="kettle", session=session)
    closed = await team.refused("anna", "task_claim", task="cup", memory_query_session=session)
    assert "memory_query_session of cup is that of tea" in closed.message
    # Also when the task that it served holds another one by now.
    given_back = {"move": "release", "fields": {"reason": "Later."}, "attempt": held["attempt"]}
    await team("anna", "task_move", task="tea", **given_back)
    await team("anna", "memory_search", query="kettle", session=session)
    closed = await team.refused("anna", "task_claim", task="cup", memory_query_session=session)
    assert "memory_query_session of cup is that of tea" in closed.message
    attempt = await team.claim("anna", "tea")
    await team("anna", "memory_search", query="kettle", session=session)
    await team.refused("anna", "task_claim", task="cup", memory_query_session=session)
    # What was handed in stays handed in, whatever the task holds afterwards.
    other = await team.claim("anna", "cup")
    memory = await team.learned("anna")
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": memory}
    await team("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    await team("lia", "task_move", task="tea", move="reject_design", fields={"rework_reason": "No."})
    closed = await team.refused("anna", "task_deliver", task="cup", attempt=other, fields=fields)
    assert "memory_contribution_id of cup is that of tea" in closed.message


async def test_pain_f_of_two_claims_with_one_search_at_once_one_is_refused(team):
    for n in range(4):
        pair = [await team.ready(f"t{n}-{m}") for m in (0, 1)]
        session = await team.asked("anna")
        claims = [team("anna", "task_claim", task=task, memory_query_session=session) for task in pair]
        done = await asyncio.gather(*claims, return_exceptions=True)
        assert [isinstance(one, TransitionRefused) for one in done].count(True) == 1, done


async def test_pain_f_a_board_does_not_tell_of_another_one(team, db):
    """A search that has served another board's task is refused without its name."""
    await team.ready()
    session = await team.asked("anna")
    await team("anna", "task_claim", task="tea", memory_query_session=session)
    async with db.transaction() as tx:
        await make_board(tx, "pot", actor=FOUNDER)
        for name, role in (("anna", "pdsa"), ("lia", "liaison")):
            await add_member(tx, name, [role], [BOARD, "pot"], actor=FOUNDER)
    await team("lia", "task_create", name="lid", title="Lid", fields=WANTED, board="pot")
    await team("lia", "task_move", task="pot/lid", move="ready", fields={"depends_on_reviewed": True})
    await team("anna", "memory_search", query="kettle", session=session)
    closed = await team.refused("anna", "task_claim", task="pot/lid", memory_query_session=session)
    assert "memory_query_session of lid is that of a task of another board" in closed.message
    assert "tea" not in closed.message


async def test_pain_f_links_ids_and_counts_are_looked_up(team):
    """Evidence is what was found, not what was said."""
    attempt = await team.claim("anna", await team.ready())
    team.links.broken.add(DESIGN)
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
    closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    assert "does not resolve" in closed.message
    invented = fields | {"memory_contribution_id": "01a2033d-0000-7000-8000-000000000000"}
    closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=invented)
    assert "nobody saved memory" in closed.message
    counted = fields | {"test_pass_count": 3, "test_total_count": 3}
    closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=counted)
    assert "may not fill test_" in closed.message


async def test_pain_k_asking_and_contributing_are_two_things_and_what_is_stored_has_an_id(db):
    """One endpoint did both: a question became knowledge, and the id of what was stored was never told."""
    question = (
        "Which of the kettles in the west kitchen whistles when the water in it begins to boil, and why?"
    )
    async with open_memory_api(db) as brain:
        for _ in range(2):
            assert (await brain.post("query", {"query": question})).status_code == 200
        assert (await brain.post("query", {"query": question, "content": question})).status_code == 422
        assert await brain.stored() == []
        said = await brain.post("contribute", {"content": "The copper kettle whistles at the boil."})
        assert said.status_code == 201
        [kept] = await brain.stored()
        assert said.json()["id"] == str(kept["id"])
        assert await brain.query(question) == ["The copper kettle whistles at the boil."]
        for kind in ("gossip", "transition_marker", ""):
            wrong = await brain.post("contribute", {"content": "The tin kettle whistles too.", "kind": kind})
            assert wrong.status_code == 422
        asked = {"prompt": question, "agent_id": "agent-dev", "agent_name": "DEV", "read_only": True}
        old = await brain.post("memory", asked)
        assert old.json()["trace"]["thoughts_contributed"] == 0
        assert len(await brain.stored()) == 1


async def test_pain_k_a_category_that_there_is_none_of_is_refused(team):
    refused = await team.refused("anna", "memory_save", content="It whistles.", kind="gossip")
    assert isinstance(refused, InvalidInput)

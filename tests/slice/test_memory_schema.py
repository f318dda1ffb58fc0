"""Rows that the schema itself refuses of memories, effects and tasks, whoever writes them: each by the name of its rule."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest

from frasier.interfaces.cli.errors import show_defect
from frasier.kernel.ids import new_id
from frasier.memory import SHARED_SCOPE, MemoryKind, NewMemory, save_memory
from frasier.store import Database, enqueue_effect


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("kind = 'rumour'", "kind_is_known"),
        ("scope = 'Shared'", "scope_is_well_formed"),
        ("scope = repeat('a', 33)", "scope_is_short"),
        ("scope = 'a:' || repeat('b', 101)", "scope_is_short"),
        ("scope = 'a:b:c'", "scope_is_well_formed"),
        ("scope = ''", "scope_is_well_formed"),
        ("title = repeat('t', 501)", "title_is_short"),
        ("content = ''", "content_has_a_length"),
        ("content = repeat('c', 100001)", "content_has_a_length"),
        ("tags = array_fill('t'::text, array[33])", "tags_are_few"),
        ("tier = 'vital'", "tier_is_known"),
        ("tier = 'temporary'", "temporary_has_an_end"),
        ("importance = 0", "importance_is_1_to_10"),
        ("importance = 11", "importance_is_1_to_10"),
        ("provenance = '[]'", "provenance_is_an_object"),
        (r"content_hash = '\x00'", "content_hash_has_32_bytes"),
        ("length = -1", "length_is_counted"),
        ("indexed = false, length = 1", "indexed_has_terms"),
        ("kind = 'directive'", "directive_is_permanent"),
        ("memory_type = 'odd'", "memory_type_is_known"),
        ("type_source = 'odd'", "type_source_is_known"),
        ("type_confidence = 1.1", "type_confidence_is_0_to_1"),
        ("triggers = array_fill('t'::text, array[51])", "triggers_are_few"),
        ("thread = ''", "thread_has_a_length"),
        ("thread = repeat('t', 201)", "thread_has_a_length"),
        ("speaker = ''", "speaker_has_a_length"),
        ("speaker = repeat('s', 101)", "speaker_has_a_length"),
        ("version = 0", "version_is_counted"),
        ("valid_from = now(), valid_until = now() - interval '1 second'", "validity_ends_after_it_begins"),
    ],
)
async def test_no_memory_is_what_none_can_be(board: Database, change: str, rule: str) -> None:
    async with board.transaction() as tx:
        new = NewMemory(kind=MemoryKind.LESSON, scope=SHARED_SCOPE, content=f"Lids are hot: {new_id()}.")
        memory_id = await save_memory(tx, new)
    with pytest.raises(psycopg.errors.CheckViolation, match=rf"breaks the rule {rule}\b") as caught:
        async with board.transaction() as tx:
            await tx.execute(f"update memory_items set {change} where id = %s", (memory_id,))
    assert (caught.value.diag.table_name, caught.value.diag.constraint_name) == ("memory_items", rule)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("kind = ''", "kind_is_not_empty"),
        ("state = 'odd'", "state_is_known"),
        ("attempts = -1", "attempts_are_counted"),
        ("state = 'sending'", "sending_means_a_lease"),
        ("state = 'sent'", "settled_means_sent_or_failed"),
        ("state = 'failed', settled_at = now()", "trouble_has_an_error"),
        ("receipt = '{}'", "sent_means_a_receipt"),
        ("lease_until = now()", "sending_means_a_lease"),
    ],
)
async def test_no_effect_is_what_none_can_be(board: Database, change: str, rule: str) -> None:
    stream = new_id()
    async with board.transaction() as tx:
        await enqueue_effect(tx, kind="announce", key=str(stream), stream=stream, payload={})
    with pytest.raises(psycopg.errors.CheckViolation, match=rf"breaks the rule {rule}\b") as caught:
        async with board.transaction() as tx:
            await tx.execute(f"update store_effects set {change} where stream = %s", (stream,))
    assert (caught.value.diag.table_name, caught.value.diag.constraint_name) == ("store_effects", rule)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("slug = ''", "slug_is_not_empty"),
        ("title = ''", "title_is_not_empty"),
        ("pending_deps = -1", "pending_dependencies_are_counted"),
        ("attempt = -1", "attempt_is_counted"),
        ("failures = -1", "failures_are_counted"),
        ("strikes = -1", "strikes_are_counted"),
        ("version = 0", "version_is_counted"),
        ("fields = '[]'", "fields_are_an_object"),
        ("judgements = '[]'", "judgements_are_an_object"),
        ("lease_owner = ''", "lease_owner_is_not_empty"),
        ("last_holder = ''", "last_holder_is_not_empty"),
        ("result_digest = ''", "result_digest_is_not_empty"),
        ("result_size = 0", "result_is_not_empty"),
        ("failure = ''", "failure_is_not_empty"),
        ("outcome = 'lost'", "outcome_is_known"),
        ("lease_owner = 'w'", "lease_has_an_owner_and_an_end"),
        ("claimable = true, status = 'blocked'", "claimable_means_free"),
        ("status = 'active'", "active_means_a_lease"),
        ("ended_at = now()", "ended_means_an_outcome"),
        ("outcome = 'completed', ended_at = now()", "completed_has_a_result"),
        ("outcome = 'failed', ended_at = now()", "failed_has_a_reason"),
        ("cascaded = true", "only_failures_cascade"),
    ],
)
async def test_no_task_is_what_none_can_be(board: Database, change: str, rule: str) -> None:
    task = new_id()
    async with board.transaction() as tx:
        await tx.execute(
            "insert into workflow_tasks (id, process, slug, title, group_id, status, role)"
            " values (%s, 'p', 'tea', 'Tea', %s, 'ready', 'dev')",
            (task, new_id()),
        )
    with pytest.raises(psycopg.errors.CheckViolation, match=rf"breaks the rule {rule}\b") as caught:
        async with board.transaction() as tx:
            await tx.execute(f"update workflow_tasks set {change} where id = %s", (task,))
    assert (caught.value.diag.table_name, caught.value.diag.constraint_name) == ("workflow_tasks", rule)


async def test_a_person_reads_the_name_of_the_broken_rule(
    board: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(psycopg.errors.CheckViolation) as caught:
        async with board.transaction() as tx:
            await enqueue_effect(tx, kind="", key="k", stream=new_id(), payload={})
    show_defect(caught.value, as_json=True)
    assert "a row of store_effects breaks the rule kind_is_not_empty" in "".join(capsys.readouterr())


def test_every_rule_is_tried() -> None:
    tried = set(re.findall(r'^ {8}\(.*", "(\w+)"\),$', Path(__file__).read_text("utf-8"), re.MULTILINE))
    functions = files("frasier.store").joinpath("migrations", "functions")
    texts = [entry.read_text("utf-8") for entry in functions.iterdir() if entry.name.endswith("_rules.sql")]
    assert {rule for text in texts for rule in re.findall(r"\bthen '(\w+)'", text)} == tried

"""Who may change and delete a memory: its author and the founder. Others may correct it."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import NotAllowed


async def test_somebody_elses_memory_is_neither_changed_reverted_nor_deleted(memory_client):
    carl, bea = memory_client.of("token:carl"), memory_client.of("token:bea")
    held = await carl.save("The kiln is fired at 1040 degrees.")
    await carl("memory_update", id=held, content="The kiln is fired at 1060 degrees.")
    for tool, arguments in (
        ("memory_update", {"content": "The kiln is cold."}),
        ("memory_update", {"tier": "deprecated"}),
        ("memory_revert", {"version": 1}),
        ("memory_delete", {}),
    ):
        with pytest.raises(NotAllowed) as refused:
            await bea(tool, id=held, **arguments)
        assert refused.value.advice[0].action == "memory.correct", tool
    with pytest.raises(NotAllowed, match="saved by somebody else than bea"):
        await bea("memory_bulk_delete", ids=[held], confirm=True, skip_checkpoint=True)
    shown = await bea("memory_get", id=held)
    assert shown["content"] == "The kiln is fired at 1060 degrees."
    assert shown["provenance"] == {"saved_by": "token:carl"}
    await carl("memory_delete", id=held)


async def test_a_name_that_looks_like_a_secret_stays_the_name_of_an_author(memory_client):
    coder = memory_client.of("token:coder2")
    held = await coder.save("The kiln of the second coder is fired at 1040 degrees.")
    await coder("memory_update", id=held, content="The kiln of the second coder is fired at 1060 degrees.")
    shown = await coder("memory_get", id=held)
    assert shown["provenance"] == {"saved_by": "token:coder2"}
    await coder("memory_revert", id=held, version=1)
    reasons = [one["reason"] for one in (await coder("memory_versions", id=held))["versions"]]
    assert reasons == ["Reverted to version 1 by coder2.", "changed by coder2"]
    await memory_client.of("token:coder3")("memory_correct", id=held, type="deprecated", reason="It is cold.")
    with pytest.raises(NotAllowed, match="coder2 saved this memory, so coder3 cannot change it"):
        await memory_client.of("token:coder3")(
            "memory_update", id=held, content="The kiln is cold, and stays so."
        )
    await coder("memory_delete", id=held)


async def test_an_author_whose_name_was_stored_without_it_reads_what_the_founder_can_do(memory_client):
    coder = memory_client.of("token:coder2")
    held = await coder.save("The kiln of the second coder is fired at 1040 degrees.")
    async with memory_client.engine.database.transaction() as tx:  # as an earlier version stored it
        await tx.execute(
            "update memory_items set provenance = jsonb_build_object('saved_by', 'token:[redacted]')"
            " where id::text = %s",
            [str(held)],
        )
    with pytest.raises(NotAllowed, match=r"stored as \[redacted\].* so coder2 cannot change it") as refused:
        await coder("memory_update", id=held, content="The kiln of the second coder is cold.")
    assert "token:" not in refused.value.message
    assert refused.value.hint.startswith("Only the founder can change or delete it.")
    await memory_client.founder("memory_delete", id=held)
    again = await coder.save("The kiln of the second coder is fired at 1040 degrees.")
    await coder("memory_update", id=again, content="The kiln of the second coder is cold.")


async def test_somebody_elses_memory_can_be_corrected_and_that_undone(memory_client):
    carl, bea = memory_client.of("token:carl"), memory_client.of("token:bea")
    held = await carl.save("The kiln is fired at 1040 degrees.")
    correction = await bea("memory_correct", id=held, type="deprecated", reason="It is another kiln.")
    assert await bea.found("kiln degrees") == []
    await bea("memory_correct_undo", correction_id=correction["correction_id"])
    assert await bea.found("kiln degrees") == [held]


async def test_what_the_founder_saved_is_the_founders_and_what_the_founder_changed_says_so(memory_client):
    bea = memory_client.of("token:bea")
    rule = await memory_client.founder.save("Invoices go out on the first of the month.")
    with pytest.raises(NotAllowed, match="founder saved this memory"):
        await bea("memory_update", id=rule, content="Invoices go out never, ever.")
    note = await bea.save("The kiln is fired at 1040 degrees.")
    await memory_client.founder("memory_update", id=note, content="The kiln is fired at 1050 degrees.")
    changed = await bea("memory_get", id=note)
    assert changed["provenance"] == {"saved_by": "token:bea", "changed_by": "founder"}
    await bea("memory_update", id=note, content="The kiln is fired at 1060 degrees.")
    assert (await bea("memory_get", id=note))["provenance"] == {"saved_by": "token:bea"}


async def test_a_selection_and_a_restore_with_clear_spare_what_others_saved(memory_client):
    carl, bea = memory_client.of("token:carl"), memory_client.of("token:bea")
    before = await bea.save("The kiln was built in spring.")
    await bea("checkpoint_create", name=f"spring-{bea.home[-8:]}")
    mine = await bea.save("The kiln was cleaned in summer.")
    carls = await carl.save("The kiln was painted in autumn.")
    founders = await memory_client.founder.save("The kiln was sold in winter.")
    restored = await bea("checkpoint_restore", name=f"spring-{bea.home[-8:]}", mode="clear")
    assert (restored["removed"], restored["spared"], restored["added"]) == (2, 2, 1)
    assert set(await bea.found("the kiln")) == {before, carls, founders}
    assert mine not in await bea.found("the kiln")
    deleted = await bea("memory_bulk_delete", scope=bea.home, confirm=True)
    assert (deleted["deleted"], deleted["spared"]) == (1, 2)
    assert set(await bea.found("the kiln")) == {carls, founders}
    founder = memory_client.founder
    assert (await founder("memory_bulk_delete", scope=bea.home, confirm=True))["deleted"] == 2


async def test_a_file_is_written_over_by_whoever_wrote_it(memory_client, root):
    settings = memory_client.engine.settings.model_copy(update={"roots": (root,)})
    own = memory_client.set_to(roots=settings.roots)
    carl, bea = own.of("token:carl"), own.of("token:bea")
    written = await carl("memory_save", file_path="kiln.md", content="The kiln is fired at 1040 degrees.")
    over = {"file_path": "kiln.md", "expected_hash": written["file_hash"]}
    with pytest.raises(NotAllowed, match="carl saved this memory"):
        await bea("memory_save", content="The kiln is cold, and stays so.", **over)
    assert "1040" in (root / "kiln.md").read_text()
    await carl("memory_save", content="The kiln is fired at 1060 degrees.", **over)
    assert "1060" in (root / "kiln.md").read_text()


async def test_a_file_that_is_gone_is_written_anew_by_whoever_wrote_it(memory_client, root):
    own = memory_client.set_to(roots=(root,))
    carl, bea = own.of("token:carl"), own.of("token:bea")
    written = await carl("memory_save", file_path="kiln.md", content="The kiln is fired at 1040 degrees.")
    (root / "kiln.md").unlink()
    with pytest.raises(NotAllowed, match="carl saved this memory"):
        await bea("memory_save", file_path="kiln.md", content="The kiln is cold, and stays so.")
    assert not (root / "kiln.md").exists()
    again = await carl("memory_save", file_path="kiln.md", content="The kiln is fired at 1060 degrees.")
    assert again["id"] == written["id"]


async def test_a_file_at_the_path_of_a_memory_without_a_file_is_another_memory(memory_client, root):
    own = memory_client.set_to(roots=(root,))
    carl, bea = own.of("token:carl"), own.of("token:bea")
    written = await carl("memory_save", file_path="kiln.md", content="The kiln is fired at 1040 degrees.")
    (root / "kiln.md").unlink()
    await carl("memory_index_scan", folder=str(root))
    saved = await bea("memory_save", file_path="kiln.md", content="The kiln is cold, and stays so.")
    assert saved["id"] != written["id"]
    shown = await carl("memory_get", id=written["id"])
    assert "1040" in shown["content"]
    assert shown["provenance"]["saved_by"] == "token:carl"
    assert (await bea("memory_get", id=saved["id"]))["provenance"]["saved_by"] == "token:bea"

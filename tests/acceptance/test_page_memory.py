"""Memory on the founder's page: why something is recalled, how it fades, and its correction."""

from __future__ import annotations

from pathlib import Path

from frasier.interfaces.services import Services
from frasier.interfaces.web.founder import FOUNDER
from frasier.memory import SHARED_SCOPE, MemoryKind, NewMemory, find_memory
from support.founder_page import logged_in
from support.organisation import organisation

HOSTILE = "<script>alert(1)</script> {{ 7 * 7 }} about green tea"


async def saved(
    services: Services, content: str, kind: MemoryKind = MemoryKind.OBSERVATION, title: str = ""
) -> str:
    memory = NewMemory(kind=kind, scope=SHARED_SCOPE, content=content, title=title)
    return str((await services.memory.save(FOUNDER, memory)).id)


async def test_a_search_shows_ranks_and_factors(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tea = await saved(services, "Green tea is brewed with water of 75 degrees.", title="Tea")
        await saved(services, "Filter coffee is brewed with water of 94 degrees.", title="Coffee")
        await browser.get("/memory")
        assert "Tea" in browser.element("memory-results").text_content()
        await browser.get("/memory?q=green+tea")
        row = [cell.text_content() for cell in browser.element(f"hit-{tea}").xpath("td")]
        heads = browser.element("memory-results").xpath(".//thead/tr[2]/th/text()")
        assert heads[0] == "lexical"
        assert heads[-5:] == ["retrievability", "usage", "importance", "pattern", "citation"]
        *_, relevance, retained, usage, importance, pattern, citation, score = row
        product = float(retained) * float(usage) * float(importance) * float(pattern) * float(citation)
        assert abs(float(score) - float(relevance) * product) < 0.01
        assert (await browser.get("/memory?kind=lesson")).text.count('id="memory-row-') == 0
        assert (await browser.get("/memory?kind=nonsense")).status_code == 422
        assert (await browser.get("/memory?state=archived&q=tea")).status_code == 200


async def test_a_memory_is_validated_and_corrected_on_its_page(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tea = await saved(services, "Green tea is brewed with water of 95 degrees.", title="Tea")
        page = await browser.get(f"/memory/{tea}")
        assert page.status_code == 200, page.text
        assert browser.element("memory-strength").xpath(".//svg[@class='line']")
        assert browser.element("memory-strength").xpath(".//table//td")
        assert (await browser.send("memory-actions", useful="yes")).status_code == 303
        page = await browser.get(f"/memory/{tea}")
        assert "after 1 votes" in page.text
        wrong = await browser.send("memory-correct", reason="", type="superseded")
        assert wrong.status_code == 422
        right = "Green tea is brewed with water of 75 degrees."
        done = await browser.send("memory-correct", reason="Too hot", type="superseded", replacement=right)
        assert done.status_code == 303, done.text
        await browser.get(f"/memory/{tea}")
        assert "Too hot" in browser.element("memory-corrections").text_content()
        assert f"hit-{tea}" not in (await browser.get("/memory?q=green+tea")).text
        assert right in (await browser.get("/memory")).text
        await browser.get(f"/memory/{tea}")
        assert (await browser.send("memory-corrections")).status_code == 303
        assert f"hit-{tea}" in (await browser.get("/memory?q=green+tea")).text


async def test_an_archived_memory_comes_back(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tea = await saved(services, "Green tea is brewed with water of 75 degrees.", title="Tea")
        async with services.board.database.transaction() as tx:
            await tx.execute("update memory_items set archived_at = now() where id = %s", [tea])
        assert f"memory-row-{tea}" not in (await browser.get("/memory")).text
        assert f"memory-row-{tea}" in (await browser.get("/memory?state=archived")).text
        await browser.get(f"/memory/{tea}")
        form = next(one for one in browser.document.forms if one.get("action").endswith("/unarchive"))
        answer = await browser.client.post(form.get("action"), data=dict(form.fields))
        assert answer.status_code == 303, answer.text
        assert (await services.in_transaction(find_memory, FOUNDER, tea)).archived_at is None


async def test_the_list_and_a_search_show_what_is_as_fresh_as_asked(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        days = {"hot": 0, "warm": 10, "cold": 200}
        episodes = {
            name: await saved(services, f"Green tea was brewed in the {name} kettle.") for name in days
        }
        lasting = await saved(services, "Green tea is brewed with water of 75 degrees.", MemoryKind.DECISION)
        async with services.board.database.transaction() as tx:
            for name, age in days.items():
                await tx.execute(
                    "update memory_items set last_seen_at = now() - %s * interval '1 day' where id = %s",
                    [age, episodes[name]],
                )
                await tx.execute(
                    "insert into memory_strengths (memory_id, stability, accessed_at) values (%s, 1, now())"
                    " on conflict (memory_id) do update set accessed_at = now()",
                    [episodes[name]],
                )
        expected = {"hot": {"hot"}, "warm": {"hot", "warm"}, "cold": {"hot", "warm", "cold"}, "": set(days)}
        for state, names in expected.items():
            for text, row in (("", "memory-row"), ("green+tea", "hit")):
                page = (await browser.get(f"/memory?state={state}&q={text}")).text
                assert {name for name in days if f'{row}-{episodes[name]}"' in page} == names, (state, text)
                assert f'{row}-{lasting}"' in page, "what does not fade is fresh"
            total = len(names) + 1
            assert f"1 to {total} of {total}" in (await browser.get(f"/memory?state={state}")).text


async def test_texts_are_shown_as_text_and_only_the_founder_changes_them(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tea = await saved(services, HOSTILE, title=HOSTILE)
        for address in ("/memory", "/memory?q=green+tea", f"/memory/{tea}"):
            page = await browser.get(address)
            assert "<script>alert" not in page.text
            assert "7 * 7" in page.text
        assert (await browser.get("/memory/00000000")).status_code == 404
        async with logged_in(services, read_only=True, beside=browser) as reader:
            await reader.get(f"/memory/{tea}")
            assert not reader.document.xpath("//main//form[@method='post']")
            own = reader.document.xpath("//input[@name='csrf']")[0].get("value")
            for path in ("correct", "undo", "validate", "unarchive", "reinstate"):
                sent = {"csrf": own, "useful": "yes", "type": "deprecated", "reason": "no"}
                assert (await reader.client.post(f"/memory/{tea}/{path}", data=sent)).status_code == 403
                without = await browser.client.post(f"/memory/{tea}/{path}", data=sent | {"csrf": ""})
                assert without.status_code == 403

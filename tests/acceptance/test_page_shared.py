"""A deliverable that is shared by a link is read without a session, and nothing else is."""

from __future__ import annotations

from pathlib import Path

from lxml import html as lxml_html

from frasier.interfaces.advice import PageWords
from frasier.interfaces.operations import OperationContext, run_operation
from frasier.interfaces.operations.organisation.shares import CREATE, LIST, REVOKE
from frasier.interfaces.web.founder import FOUNDER
from support.founder_page import served_page
from support.organisation import carry_out, organisation, write_documents


async def test_whoever_has_the_link_reads_the_result_until_it_is_revoked(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        mission = await carry_out(services, write_documents(tmp_path / "d"))
        context = OperationContext(
            caller=FOUNDER, dialect=PageWords(), services=services, counts_tokens=False
        )
        made = (await run_operation(CREATE, context, {"mission": str(mission.mission_id)})).data
        page = await client.get(made.path)
        assert page.status_code == 200, page.text
        document = lxml_html.document_fromstring(page.text)
        text = document.text_content()
        assert "75 degrees" in text
        assert "This link can be used until" in text
        assert page.headers["referrer-policy"] == "no-referrer"
        assert "noindex" in page.headers["x-robots-tag"]
        leads = {link.get("href") for link in document.xpath("//main//a")}
        assert all(link.startswith(("#", "http")) for link in leads), leads
        assert not document.xpath("//form")
        assert (await client.get("/")).status_code == 401
        assert (await client.get(f"{made.path}x")).status_code == 404
        (share,) = (await run_operation(LIST, context, {})).data.shares
        await run_operation(REVOKE, context, {"share": str(share.share)})
        gone = await client.get(made.path)
        assert gone.status_code == 404
        assert "not valid" in gone.text

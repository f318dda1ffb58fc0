"""A step as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frasier.interfaces.cli.present import Page


def draw_step(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.directives import add_left_out_rules
    from frasier.interfaces.cli.present import Page, mark, short

    page = Page()
    status = document["status"]
    sign = mark(status, f"{mark(status)[0]} {status.replace('_', ' ')}")
    page.line((document["title"], "bold"), "  ", sign)
    facts = [
        f"step {short(document['step'])} ({document['key']}) of {document['mission_title']}",
        f"{document['agent']}, {document['role']}",
        document["tier"],
    ]
    if document["is_final"]:
        facts.append("final step")
    if document["needs"]:
        facts.append(f"needs {', '.join(document['needs'])}")
    page.line(("  ·  ".join(facts), "dim"))
    page.heading("Instruction")
    page.prose(document["instruction"])
    page.heading("Accepted when")
    page.prose("\n".join(f"- {line}" for line in document["acceptance"]))
    _add_state(page, document)
    add_left_out_rules(page, document["rules_left_out"])
    for version in document["versions"]:
        _add_version(page, version)
    _add_calls(page, document)
    if document["versions"]:
        newest = document["versions"][-1]["version"]
        page.line(
            (f"`frasier steps show {short(document['step'])} --version {newest}` prints its text.", "dim")
        )
    return page


def _add_state(page: Page, document: dict[str, Any]) -> None:
    from frasier.interfaces.cli.present import ago

    if document["phases"]:
        page.heading("Phases")
        page.prose(" → ".join(document["phases"]))
    if document["markers"]:
        page.heading("What the memory holds of it")
        for marker in document["markers"]:
            page.line((f"{ago(marker['at'])}  ", "dim"), marker["text"])
    if document["failure"]:
        page.heading("Failure")
        page.prose(document["failure"])
    if document["block"]:
        page.heading("Blocked")
        for reason in document["block"]["reasons"]:
            page.line(
                ("■ ", "bold magenta"), f"{reason['reason']} — {reason['owner']} must {reason['action']}"
            )


def _add_version(page: Page, version: dict[str, Any]) -> None:
    from frasier.interfaces.cli.present import ago, mark

    page.heading(f"Version {version['version']}")
    facts = [
        ago(version["created_at"]),
        f"{version['chars']:,} characters",
        f"own score {version['critique_mean']:.2f}"
        if version["critique_mean"] is not None
        else "no critique",
        f"citations {version['citation_score']:.2f}",
        version["model"],
    ]
    page.line(("  ·  ".join(facts), "dim"))
    if version["degraded"]:
        page.line(
            (
                f"degraded: {version['tier_served']} in place of {version['tier_asked']}, or fewer means",
                "yellow",
            )
        )
    if version["unknown_citations"]:
        numbers = ", ".join(f"[{number}]" for number in version["unknown_citations"])
        page.line((f"cites {numbers}, which are no sources of this mission", "red"))
    for review in version["reviews"]:
        score = f" {review['overall']:.1f}" if review["overall"] is not None else ""
        by = "policy" if review["kind"] == "policy" else f"{review['kind']} by {review['by']}"
        page.line(mark(review["verdict"]), f" {by}: ", mark(review["verdict"], review["verdict"]), score)
        if review["feedback"]:
            page.prose(review["feedback"])


def _add_calls(page: Page, document: dict[str, Any]) -> None:
    from frasier.interfaces.cli.present import Column, usd

    if not document["calls"]:
        return
    page.heading(f"Calls: {len(document['calls'])} for {usd(document['cost_usd'])}")
    numbers = [Column(title, fixed=True, right=True) for title in ("in", "out", "ms", "cost")]
    page.table(
        ["phase", "tier", "model", "state", *numbers],
        [
            (
                call["phase"] or call["purpose"],
                call["tier_served"] + (" (degraded)" if call["degraded"] else ""),
                call["model"],
                call["state"] + (f": {call['error']}" if call["error"] else ""),
                f"{call['tokens_in']:,}",
                f"{call['tokens_out']:,}",
                "" if call["duration_ms"] is None else f"{call['duration_ms']:,}",
                usd(call["cost_usd"]),
            )
            for call in document["calls"]
        ],
    )

"""The main job over real HTTP, as the program does it: which model is asked what, at which price, with which key."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from support.cli import FrasierProgram
from support.model_responder import Answer, CompetentModel, Prompt, plan_of, read_prompt, write
from support.model_server import ModelServer, ScriptedAnswer, key_digest
from support.organisation import DIRECTIVE

KEY = "sk-or-v1-5ecre7-0123456789abcdef"
MODELS = {
    "FRASIER_LLM__T1_MODEL": "small",
    "FRASIER_LLM__T2_MODEL": "middle",
    "FRASIER_LLM__T3_MODEL": "large",
}
PRICES = {
    "small": {"input": 1, "output": 2},
    "middle": {"input": 3, "output": 15},
    "large": {"input": 15, "output": 75},
}
# 100 tokens read and 50 written, as the scripted server counts, in micro-dollars.
COST = {"small": 200, "middle": 1_050, "large": 5_250}
FINAL = "Write the executive report"


class Founder:
    """Somebody who runs the program with a server's models, and reads what it prints."""

    def __init__(self, home: Path, database_url: str) -> None:
        home.mkdir()
        self.home = home
        self._program = FrasierProgram(home, database_url)
        self.settings = {
            **MODELS,
            "FRASIER_LLM__API_KEY": KEY,
            "FRASIER_LLM__PRICES": json.dumps(PRICES),
            "FRASIER_LLM__ATTEMPTS": "2",
            "FRASIER_WORKER__RETRY_BASE_S": "0",
            "FRASIER_LOG_LEVEL": "info",
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        }
        self.printed = ""

    def serve(self, **answers: Answer) -> ModelServer:
        """A server for this founder's runs; the final step asks for the highest tier."""
        answers = {"plan": lambda _: ScriptedAnswer.json(plan_of(3, final=FINAL)), **answers}
        server = ModelServer(CompetentModel(**answers))
        self.settings["FRASIER_LLM__BASE_URL"] = server.base_url
        return server

    def json(self, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
        """What a command answers with --json."""
        ended = self._program(*map(str, arguments), "--json", code=code, **self.settings)
        self.printed += ended.out + ended.err
        return dict(json.loads(ended.out))

    def text(self, *arguments: str) -> str:
        """What a command prints."""
        return self._program(*arguments, **self.settings).out


@pytest.fixture
def founder(database_url: str, tmp_path: Path) -> Founder:
    return Founder(tmp_path / "founder", database_url)


@pytest.fixture
def dump(server, database_name: str):
    """Everything that the database holds, as text."""

    def read() -> str:
        with psycopg.connect(server.url("frasier_owner", database_name)) as connection:
            tables = connection.execute(
                "select format('%I.%I', schemaname, tablename) from pg_tables "
                "where schemaname not in ('pg_catalog', 'information_schema')"
            ).fetchall()
            rows = [connection.execute(f"select t::text from {table} t").fetchall() for (table,) in tables]
        return "\n".join(text for table in rows for (text,) in table)

    return read


def prompts(server: ModelServer) -> Iterator[Prompt]:
    return (read_prompt(request.body) for request in server.log)


def test_the_run_delivers_and_asks_each_tier_for_its_own_work(
    founder: Founder, documents: Path, database_url: str, dump
) -> None:
    with founder.serve() as server:
        ended = founder.json("run", DIRECTIVE, "--sources", documents)
        trail = founder.json("events", "verify")
    assert ended["status"] == "delivered"
    assert trail["sealed_events"] == trail["events"], "who runs once leaves its trail sealed"
    assert not any(step["degraded"] for step in ended["steps"])
    text = Path(ended["deliverable"]).read_text("utf-8")
    assert "94 degrees" in text
    assert "- [2] Coffee — coffee.md" in text

    asked = Counter((prompt.purpose, prompt.model) for prompt in prompts(server))
    assert asked == {
        ("plan", "middle"): 1,
        ("decompose", "small"): 3,
        ("gaps", "small"): 2,
        ("synthesize", "middle"): 2,
        ("synthesize", "large"): 1,
        ("judge", "small"): 3,
        ("critique", "small"): 3,
        ("review", "small"): 1,
        ("review", "middle"): 2,
    }
    assert ended["calls"] == len(server.log)
    cost = sum(COST[prompt.model] for prompt in prompts(server))
    assert ended["cost_usd"] == pytest.approx(cost / 1e6)
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["cost"]["usd"] == pytest.approx(cost / 1e6)
    assert {step["key"]: step["versions"][-1]["model"] for step in provenance["steps"]} == {
        "part-1": "middle",
        "part-2": "middle",
        "final": "large",
    }

    with psycopg.connect(database_url) as connection:
        attempts = connection.execute("select distinct attempt from workflow_tasks").fetchall()
    assert attempts == [(1,)], "two steps of one colleague that end at once are in nobody's way"

    for prompt in prompts(server):
        context = 32_000 if prompt.model == "small" else 100_000
        assert prompt.tokens + prompt.body["max_tokens"] <= context
        structured = prompt.purpose not in {"synthesize", "revise"}
        assert bool(prompt.body.get("response_format", {}).get("json_schema", {}).get("strict")) is structured

    assert {request.key_sha256 for request in server.log} == {key_digest(KEY)}
    written = [path.read_text("utf-8", "replace") for path in founder.home.rglob("*") if path.is_file()]
    for place in (founder.printed, dump(), *written):
        assert KEY not in place
        assert KEY[-16:] not in place


def test_a_model_that_hangs_is_replaced_by_a_lower_tier_and_everybody_is_told(
    founder: Founder, documents: Path
) -> None:
    founder.settings["FRASIER_LLM__TIMEOUT_S"] = "0.8"
    founder.settings["FRASIER_LLM__ATTEMPTS"] = "1"

    def hang_at_the_top(prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer(hang=True) if prompt.model == "large" else write(prompt)

    with founder.serve(synthesize=hang_at_the_top) as server:
        ended = founder.json("run", DIRECTIVE, "--sources", documents)
    final = {step["key"]: step for step in ended["steps"]}["final"]
    assert final["degraded"] is True
    asked = [prompt.model for prompt in prompts(server) if prompt.purpose == "synthesize"]
    assert asked[-2:] == ["large", "middle"]
    assert Path(ended["deliverable"]).read_text("utf-8").startswith("> **Degraded.**")
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    assert provenance["degraded"] is True
    assert provenance["cost"]["outcome_unknown"] == 1
    version = {step["key"]: step["versions"][-1] for step in provenance["steps"]}["final"]
    assert (version["tier_asked"], version["tier_served"], version["model"]) == ("T3", "T2", "middle")
    told = re.match(
        rf"Degraded: middle stood in for a better model in '{FINAL}'\. large at .+ did not answer",
        ended["degraded"],
    )
    assert told, ended["degraded"]
    for announced in (
        founder.json("inbox")["digest"][0]["newest"][0],
        founder.text("missions", "show"),
    ):
        assert ended["degraded"] in " ".join(announced.split())
    for listing in (founder.json("missions", "list")["missions"], founder.json("status")["latest"]):
        assert [mission["degraded"] for mission in listing] == [True]
    for screen in (("missions", "list"), ("status",), ("missions", "read")):
        assert "degraded" in founder.text(*screen)


def test_a_key_that_is_refused_midway_stops_the_run_and_the_right_one_finishes_it_without_paying_twice(
    founder: Founder, documents: Path, dump
) -> None:
    refused = ScriptedAnswer.error(401, f"Incorrect API key provided: {KEY}")
    with founder.serve(critique=lambda _: refused) as server:
        stopped = founder.json("run", DIRECTIVE, "--sources", documents, code=5)
        paid = Counter(
            (prompt.purpose, prompt.model) for prompt in prompts(server) if prompt.purpose != "critique"
        )
        refusals = len(server.log) - paid.total()
    assert refusals == 2, "a refused key is neither retried nor tried with another model"
    waiting = " ".join(stopped["waiting_for_founder"])
    assert "The key was refused" in waiting
    assert "FRASIER_LLM__API_KEY" in waiting
    assert KEY not in founder.printed + dump()

    with founder.serve() as server:
        ended = founder.json("resume", "last")
        again = Counter((prompt.purpose, prompt.model) for prompt in prompts(server))
    assert ended["mission"] == stopped["mission"]
    assert paid == {
        ("plan", "middle"): 1,
        ("decompose", "small"): 2,
        ("gaps", "small"): 2,
        ("synthesize", "middle"): 2,
        ("judge", "small"): 2,
    }
    assert not again & Counter({("plan", "middle"): 1, ("gaps", "small"): 1, ("synthesize", "middle"): 1})
    assert again["decompose", "small"] == 1, "only the final step was not taken apart yet"


def test_a_budget_that_is_too_small_is_named_and_a_larger_one_goes_on(
    founder: Founder, documents: Path
) -> None:
    with founder.serve() as server:
        stopped = founder.json("run", DIRECTIVE, "--sources", documents, "--budget", "0.000001", code=5)
        assert server.log == []
        (waiting,) = stopped["waiting_for_founder"]
        assert "The mission budget of $0.000001 would be passed" in waiting
        assert "--budget" in waiting
        assert re.search(r"with what is spent and in flight, this call needs \$\d+\.\d+\.", waiting)
        ended = founder.json("resume", "last", "--budget", "5")
    assert ended["cost_usd"] > 0


def test_models_without_a_price_are_refused_at_once_with_a_hint_that_works(
    founder: Founder, documents: Path
) -> None:
    known = {model: price for model, price in PRICES.items() if model == "small"}
    founder.settings["FRASIER_LLM__PRICES"] = json.dumps(known)
    with founder.serve() as server:
        # Reaches this machine, but by no name that says so: what answers there may cost money.
        founder.settings["FRASIER_LLM__BASE_URL"] = server.base_url.replace("127.0.0.1", "0.0.0.0")
        stopped = founder.json("run", DIRECTIVE, "--sources", documents, code=5)
        assert server.log == []
        (waiting,) = stopped["waiting_for_founder"]
        assert "The price of models " in waiting
        hint = re.search(r"FRASIER_LLM__PRICES='(.+?)'", waiting)
        assert hint
        assert json.loads(hint[1]).keys() == {"middle", "large"}
        founder.settings["FRASIER_LLM__PRICES"] = json.dumps(known | json.loads(hint[1]))
        ended = founder.json("resume", "last")
    assert ended["status"] == "delivered"

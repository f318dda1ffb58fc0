"""`frasier memory serve` as a process: from an empty home to an agent elsewhere, and to its end in order."""

from __future__ import annotations

import json
import re
import signal
import socket
import threading
import time

import httpx2
import psycopg
import pytest

from support.cli import DEADLINE_S
from support.served import Served

FACT = "We left SQLite because two processes could not write at once."
TOKEN = re.compile(r"frasier_sk-[A-Za-z0-9_-]{43}")


def test_an_agent_uses_the_memory_with_the_first_token_until_the_server_is_told_to_stop(frasier):
    with frasier.running("memory", "serve", "--port", "0", FRASIER_LOG_LEVEL="info") as process:
        served = Served(process)
        [token] = TOKEN.findall(served.said)
        assert "only its hash" in served.said
        assert served.base.startswith("http://127.0.0.1:")
        with served.client() as stranger:
            assert stranger.get("health").json() == {"status": "ok"}
            assert stranger.post("query", json={"query": "SQLite"}).status_code == 401
        with served.client(token) as agent:
            made = agent.post("contribute", json={"content": FACT}, headers={"Idempotency-Key": "1"})
            assert made.status_code == 201
            assert agent.post("contribute", json={"content": FACT}, headers={"Idempotency-Key": "1"}).json()[
                "repeated"
            ]
            found = agent.post("query", json={"query": "why not SQLite?"}).json()["data"]["hits"]
            assert [hit["id"] for hit in found] == [made.json()["id"]]
            assert agent.get("tools").json()["tools"]
            assert agent.get("health").json()["parts"]["write"]["works"]
        out, err = served.end()
    assert out == ""
    assert "Stopped." in err
    assert "SQLite" not in err, "the log repeats what was asked"
    assert token not in err
    paths = [json.loads(line)["path"] for line in err.splitlines() if '"http.request"' in line]
    assert "/api/v1/query" in paths


def test_the_vectors_of_what_is_contributed_are_made_without_being_asked_for(frasier, database_url):
    with (
        frasier.running("memory", "serve", "--port", "0") as process,
        psycopg.connect(database_url, autocommit=True) as looking,
    ):
        served = Served(process)
        [token] = TOKEN.findall(served.said)
        with served.client(token) as agent:
            made = agent.post("contribute", json={"content": "The feline slept on the windowsill."})
            assert made.status_code == 201, made.text
            deadline = time.monotonic() + DEADLINE_S
            while not looking.execute("select from memory_vectors").rowcount:
                assert time.monotonic() < deadline, f"no vector was made: {agent.get('health').text}"
                threading.Event().wait(0.1)
            [hit] = agent.post("query", json={"query": "a cat taking a nap"}).json()["data"]["hits"]
            assert "meaning" in hit["reason"]
        served.end()


def test_a_request_in_flight_is_answered_when_the_server_is_told_to_stop(frasier):
    with frasier.running("memory", "serve", "--port", "0") as process:
        served = Served(process)
        [token] = TOKEN.findall(served.said)
        host, _, port = served.base.removeprefix("http://").split("/")[0].partition(":")
        body = json.dumps({"content": FACT}).encode()
        with socket.create_connection((host, int(port)), timeout=DEADLINE_S) as slow:
            slow.sendall(
                f"POST /api/v1/contribute HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n".encode()
            )
            assert b"100 Continue" in slow.recv(1_000), "the request has not begun"
            process.send_signal(signal.SIGTERM)
            slow.sendall(body)
            answered = b""
            while piece := slow.recv(65_536):
                answered += piece
        assert b"HTTP/1.1 201" in answered
        process.communicate(timeout=DEADLINE_S)
        assert process.returncode == 0


def test_tokens_are_made_listed_and_revoked_and_the_first_one_is_not_made_beside_them(frasier):
    made = frasier("memory", "token", "create", "ci", "--scope", "team", "--scope", "shared")
    token = made.out.strip()
    assert TOKEN.fullmatch(token)
    with frasier.running("memory", "serve", "--port", "0") as process:
        served = Served(process)
        assert not TOKEN.search(served.said)
        with served.client(token) as agent:
            assert agent.post("contribute", json={"content": FACT}).status_code == 201
            [listed] = frasier.json("memory", "token", "list")
            assert (listed["name"], listed["scopes"]) == ("ci", ["team", "shared"])
            assert token not in json.dumps(listed)
            frasier("memory", "token", "revoke", "ci")
            assert agent.post("query", json={"query": "SQLite"}).status_code == 401
        served.end()
    assert "revoked" in frasier("memory", "token", "list").out
    assert frasier.json("memory", "token", "revoke", "ci", code=3)["error"]["code"] == "not_found"


def test_a_port_that_is_taken_is_a_setting_to_be_changed(frasier):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = frasier("memory", "serve", "--port", str(taken.getsockname()[1]), code=8)
    assert "--port" in ended.err
    assert "Traceback" not in ended.err


def test_another_host_than_loopback_is_warned_of(frasier):
    with frasier.running("memory", "serve", "--host", "0.0.0.0", "--port", "0") as process:
        served = Served(process)
        assert "Warning: 0.0.0.0 can be reached from other machines" in served.said
        port = served.base.split(":")[-1].split("/")[0]
        local = f"http://127.0.0.1:{port}/api/v1/health"
        assert httpx2.get(local).status_code == 200
        assert httpx2.get(local, headers={"Host": "rebound.example"}).status_code == 403
        served.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_by_either_signal_while_nobody_asks(frasier, number):
    with frasier.running("memory", "serve", "--port", "0") as process:
        served = Served(process)
        with served.client() as idle:
            idle.get("health")  # a connection that stays open
            _, err = served.end(number)
    assert "Stopped." in err

"""Invalid arguments of the tools of a board, as values and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.workflow import processes
from support.attacked_board import BOARD, VAULT, WHO, AttackedBoard
from support.garbage import ANYTHING, TEXTS, UNKNOWN, objects

_PROCESS = processes()["pdsa_task"]
BOMBS = st.sampled_from(
    [
        'a: &a ["x","x"]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c]',
        "!!python/object/apply:os.system ['id']",
        '{"a": ' * 2_000,
        '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>',
    ]
)
LINKS = st.sampled_from(
    [
        *("https://example.org/a.md", "https://example.org/../../etc/passwd", "https://", "https:///x"),
        *("file:///etc/passwd", "http://example.org/", "javascript:alert(1)", "https://me:word@example.org/"),
        *("https://[::1", "https://127.0.0.1/", "https://example.org/a b", "https://\ud800.org/", "//x"),
        *("https://example.org/" + "a" * 3_000, "../../../etc/passwd", "HTTPS://EXAMPLE.ORG/%00%2e%2e%2f"),
    ]
)
FIELD_VALUES = TEXTS | LINKS | BOMBS | ANYTHING | st.lists(TEXTS, max_size=3) | st.integers() | st.booleans()
FIELDS = st.dictionaries(st.sampled_from(sorted(_PROCESS.fields)) | TEXTS, FIELD_VALUES, max_size=4)
_MOVES = st.sampled_from(sorted(_PROCESS.transitions))
_IMPATIENT_S = 0.05


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


SPELLED = [
    *('"' + "q" * 10_001 + '"', '"' + "q" * 200_001 + '"', '"%_\\\\%"', '""', '" "', "{}", "[]", "null"),
    *(
        '"\\u0000"',
        '"\\ud800"',
        '{"\\ud800": 1}',
        '{"\\u0000": 1}',
        '{"": ""}',
        '{"__proto__": {"a": 1}}',
    ),
    *("NaN", "-Infinity", "1e400", "-0.0", "1e-400", "-1", "0", "true", str(2**63), str(-(2**70))),
    *("9" * 400, "9" * 5_000, '"../../../../etc/passwd"', '"https://me:word@example.org/../x"'),
    *("[" * depth + "]" * depth for depth in (60, 300, 450, 700, 900, 5_000, 200_000)),
    *('{"a":' * depth + "1" + "}" * depth for depth in (60, 300, 450, 700, 900, 5_000)),
    *('{"a": NaN}', '{"a": 1e400}', '{"a": -Infinity}', '{"a": ' + "9" * 5_000 + "}", '{"a": "\\u0000"}'),
    *("[" + "0," * 100_000 + "0]", '{"a": 1, "a": 2}', "[[], {}, null, 1, true]"),
]
"""Values spelled as JSON, of which some are none: too deep, too large, out of any range."""
MONSTERS = st.sampled_from(SPELLED)

_AROUND = st.sampled_from(
    [("", ""), ('{"a": ', "}"), ('{"description": ', "}"), ('{"acceptance_criteria": [', "]}")]
)

BODIES = st.binary(max_size=40) | st.sampled_from(
    [
        *(b"", b"null", b"[]", b"1", b'"x"', b"{", b"}{", b"\xff\xfe", b'{"task": "\xed\xa0\x80"}', b"\x00"),
        *(b'{"task": "caf\xe9"}', b"\xef\xbb\xbf{}", b"{'task': 1}", b"[" * 100_000, b" " * 1_100_000),
        *(b'{"task": "' + b"x" * 2_000_000 + b'"}', b'{"a":' * 50_000, b"--- !!map {}", b"<task/>"),
    ]
)
"""Bodies that are not JSON objects, or too large."""

CALLERS = st.sampled_from(WHO)


def usual(attacked_board: AttackedBoard) -> dict[str, st.SearchStrategy[Any]]:
    """Return existing values for each argument: of the kettle's team, and of what its members may not use."""
    stand = attacked_board.stand
    elsewhere = [f"{VAULT}/jewels", "jewels", attacked_board.jewels, UNKNOWN, f"{BOARD}/../{VAULT}/jewels"]
    tasks = st.sampled_from([*stand.names, *elsewhere])
    proofs = {"memory_contribution_id": st.just(stand.memory), "memory_query_session": st.just(stand.session)}
    return {
        "task": tasks,
        "board": st.sampled_from([BOARD, VAULT, "nowhere", ""]),
        "process": st.sampled_from([*processes(), "", "%"]),
        "name": st.integers(0, 10**9).map("n-{}".format),
        "move": _MOVES,
        "owner": st.sampled_from(["liaison", "founder", "dev", "system", "%"]),
        "role": st.sampled_from([*_PROCESS.roles, "founder", ""]),
        "status": st.sampled_from(sorted(_PROCESS.statuses)),
        "fields": st.tuples(FIELDS, st.fixed_dictionaries({}, optional=proofs)).map(
            lambda two: two[0] | two[1]
        ),
        "attempt": st.integers(1, 2) | st.sampled_from([2**31, 2**63, 2**70]),
        "version": st.integers(1, 6) | st.sampled_from([2**31, 2**63, 2**70]),
        "command": st.sampled_from(["unit", "off", "unit; id", "../unit", "%", "_nit"]),
        "decision": st.sampled_from([stand.decision, attacked_board.jewels, UNKNOWN]),
        "memory_query_session": st.just(stand.session) | TEXTS,
        "needs": st.lists(tasks, max_size=3),
        "about": st.lists(tasks, max_size=3),
        "timeout_s": st.sampled_from([0, 0.01]),
        "state": st.dictionaries(TEXTS, ANYTHING, max_size=4),
    }


def arguments_of(attacked_board: AttackedBoard, tool: str) -> st.SearchStrategy[dict[str, Any]]:
    """Generate arguments: valid ones, invalid ones, and unknown names."""
    schema = TASK_OPERATIONS[tool].input.model_json_schema()
    fitting = objects(schema, schema, usual=usual(attacked_board))
    wild = objects(schema, schema, usual=usual(attacked_board), more=ANYTHING | BOMBS)
    unknown = st.dictionaries(TEXTS, ANYTHING, max_size=3)
    both = st.tuples(fitting, unknown).map(lambda two: two[1] | two[0])
    return (fitting | wild | unknown | both).map(_without_long_wait(tool))


def spelled_arguments(attacked_board: AttackedBoard, tool: str) -> st.SearchStrategy[bytes]:
    """Generate bodies: the arguments as JSON, mostly with one replaced, and values that are not objects."""
    names = sorted(TASK_OPERATIONS[tool].input.model_fields.keys() - {"timeout_s"})
    schema = TASK_OPERATIONS[tool].input.model_json_schema()
    fitting = objects(schema, schema, usual=usual(attacked_board)).map(_without_long_wait(tool))
    monsters = st.tuples(_AROUND, MONSTERS).map(lambda two: two[1].join(two[0]))
    replaced = st.tuples(fitting, st.sampled_from(names), monsters).map(lambda three: _with(*three))
    sound = arguments_of(attacked_board, tool).map(json.dumps)
    return st.one_of(sound, replaced, replaced).map(str.encode) | BODIES


def _with(arguments: dict[str, Any], name: str, spelled: str) -> str:
    rest = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in arguments.items() if key != name]
    return "{" + ", ".join([*rest, f'"{name}": {spelled}']) + "}"


def _without_long_wait(tool: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that replaces a long wait in the arguments by none."""

    def shortened(arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            wanted = float(arguments.get("timeout_s", 30))
        except (TypeError, ValueError, OverflowError):
            return arguments
        long = tool == "task_wait" and _IMPATIENT_S < wanted <= 120
        return arguments | {"timeout_s": 0} if long else arguments

    return shortened

"""The language that a machine can hold: docstrings are summaries, and names say what they hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import frasier

SOURCE = Path(frasier.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
ROOT = Path(__file__).parents[2]
STRICT = (
    *(
        "http",
        "mcp",
        "client",
        "tool_catalog",
        "asgi_server.py",
        "connection_limits.py",
        "server_settings.py",
    ),
    "services.py",
)
"""The parts of the interfaces that every rule below holds for."""
STRICT_FILES = sorted(
    {
        *(
            path
            for part in STRICT
            for path in (SOURCE / "interfaces" / part, *(SOURCE / "interfaces" / part).rglob("*.py"))
            if path.suffix == ".py"
        ),
        *(ROOT / "bench").rglob("*.py"),
        *(ROOT / "scripts").rglob("*.py"),
        *(ROOT / "tests" / "support").rglob("*.py"),
        *(ROOT / "tests").rglob("conftest.py"),
    }
)

RELATIVE_CLAUSES = (
    "What ",
    "Who ",
    "Whose ",
    "Where ",
    "When ",
    "How ",
    "Whoever ",
    "Whatever ",
    "Wherever ",
    "That ",
)
"""Beginnings of a docstring that is no summary: neither a verb nor a noun phrase."""

STRICT_CLAUSES = (
    *RELATIVE_CLAUSES,
    *("Whether ", "Which ", "Whom ", "If ", "As ", "So ", "For how ", "Nobody ", "Everybody ", "Somebody "),
    *("True where ", "False where ", "None where "),
)

THIRD_PERSON = frozenset(
    "accepts adds allows appends applies asks begins books brings builds carries closes collects compares confirms"
    " connects creates decides deletes describes draws drops encodes ends fills finds finishes fits forgets gathers gets"
    " gives goes hands holds keeps leaves lets loads looks makes measures moves opens parses plays prints publishes puts"
    " raises reads refuses releases remembers removes renews repeats replaces resolves restores returns runs says searches"
    " sees sends serves sets settles shows sleeps splits starts stops stores takes tells tests tries turns updates uses"
    " validates verifies waits walks watches withdraws works writes yields".split()
)
"""Verbs that describe the code where a summary would name it, or tell it what to do. None is a usual plural, too."""

METAPHORS = ("Door", "Told", "Hall", "Ground", "Desk", "Shelf", "Room")
"""Endings of class names that say nothing to a reader who has never seen the code."""

VAGUE = frozenset(
    "found given said told meant around one most kept wanted shown spelled asked left gone done said_again anybody".split()
)
"""Names that do not say what a parameter holds."""

VAGUE_FUNCTIONS = frozenset(f"_{name}" for name in "said told shown spelled meant wanted look one".split())
"""Private functions whose names do not say what they do."""

RETIRED_MODULES = frozenset(
    "together wrong_values wording boundary wakeup lease sealing following actionable recovering breadcrumb"
    " documenting remote gathering checks requiring declared moved lookup paused asked_again used_once own_words telling"
    " soundness putting_back keeping dumping removing tending sweeping heap choose weights writing asking joining by_words"
    " by_meaning means threads delivering answering called changes proofs intake cleaning contributing credentials holds"
    " subjects texts paid_call fencing replies answers outcomes backoff handover remembering identity door moments bodies"
    " refusals callers rules keeping_up choosing nesting going_on happening known finding moving refusing liveness listening"
    " later opening naming marks live given_text broken_text talk calling deciding declaring looking presenting refreshing"
    " serving stopping upkeep typed told shapes offer room shelf ground desk utils helpers common misc".split()
)
"""Module names that LANGUAGE retired, and others like them: activities of the code, metaphors, and words that need the file."""

JSON_KEYS = dict.fromkeys(
    ("kernel/errors.py", "board/decisions/approval.py", "workflow/processes/process.py"),
    frozenset({"__init__(kept)"}),
) | {"interfaces/client/session_methods.py": frozenset({"session_save(done)"})}
"""Parameters that are named after a key of the JSON that callers read."""


def definitions(source: str) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def attribute_docstrings(source: str) -> list[str]:
    """The texts that stand below assignments."""
    bodies = [
        node.body for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Module | ast.ClassDef)
    ]
    return [
        after.value.value
        for body in bodies
        for before, after in pairwise(body)
        if isinstance(before, ast.Assign | ast.AnnAssign)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(after.value.value, str)
    ]


def docstrings(source: str) -> list[str]:
    """The docstrings of a module and of everything in it."""
    texts = [ast.get_docstring(node) or "" for node in definitions(source)]
    return [text for text in (*texts, *attribute_docstrings(source)) if text.strip()]


def clauses(source: str) -> list[str]:
    """Docstrings of a module that begin with a relative clause."""
    return [text.splitlines()[0] for text in docstrings(source) if text.startswith(RELATIVE_CLAUSES)]


def loose_summaries(source: str) -> list[str]:
    """Docstrings of a module that begin with a clause or with a verb in the third person."""
    return [
        text.splitlines()[0]
        for text in docstrings(source)
        if text.startswith(STRICT_CLAUSES) or text.split()[0].lower().strip(".,:;") in THIRD_PERSON
    ]


def vague_functions(source: str) -> list[str]:
    """Functions and methods of a module, public ones too, whose names do not say what they do."""
    return [
        node.name
        for node in definitions(source)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and f"_{node.name.strip('_')}" in VAGUE_FUNCTIONS
    ]


def metaphors(source: str) -> list[str]:
    """Classes of a module that are named by a metaphor."""
    return [
        node.name
        for node in definitions(source)
        if isinstance(node, ast.ClassDef)
        and re.search(rf"(?:^|_|[a-z])(?:{'|'.join(METAPHORS)})$", node.name)
    ]


def vague_names(source: str) -> list[str]:
    """Parameters and private functions of a module whose names do not say what they hold or do."""
    found = []
    for node in definitions(source):
        if isinstance(node, ast.Module | ast.ClassDef):
            continue
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        gathered = [argument for argument in (node.args.vararg, node.args.kwarg) if argument]
        found += [
            f"{node.name}({argument.arg})" for argument in (*arguments, *gathered) if argument.arg in VAGUE
        ]
        found += [node.name] if node.name in VAGUE_FUNCTIONS else []
    return found


@pytest.mark.parametrize(
    "fault", ['"""What nobody waits for."""', 'LIMIT = 3\n"""What fits."""', 'def f():\n    """Who asks."""']
)
def test_a_docstring_that_is_no_summary_is_found(fault: str):
    assert clauses(fault)


@pytest.mark.parametrize(
    "fault", ["def f(given): ...", "async def f(*, around): ...", "def f(**told): ...", "def _said(): ..."]
)
def test_a_vague_name_is_found(fault: str):
    assert vague_names(fault)


@pytest.mark.parametrize(
    "fault",
    [
        '"""Whether it ends."""',
        'def f():\n    """Serves the tools."""',
        'class C:\n    """Looks once for all."""',
        'def f():\n    """True where all is well."""',
        '_S = 1\n"""For how long it waits."""',
    ],
)
def test_a_loose_summary_is_found(fault: str):
    assert loose_summaries(fault)


@pytest.mark.parametrize(
    "text",
    [
        "Serve the tools.",
        "Fields of a task.",
        "Return whether it ends.",
        "Runtime settings.",
        "A set of runs.",
    ],
)
def test_a_summary_is_no_fault(text: str):
    assert loose_summaries(f'def f():\n    """{text}"""') == []


@pytest.mark.parametrize("name", ["Door", "_TokenDoor", "Told"])
def test_a_metaphor_is_found(name: str):
    assert metaphors(f"class {name}: ...")


def listed(check: str) -> dict[str, list[str]]:
    by_file = {
        str(path.relative_to(SOURCE)): {"clauses": clauses, "names": vague_names}[check](
            path.read_text("utf-8")
        )
        for path in FILES
    }
    unexpected = {
        name: [fault for fault in faults if fault not in JSON_KEYS.get(name, ())]
        for name, faults in by_file.items()
    }
    return {name: faults for name, faults in unexpected.items() if faults}


def test_every_docstring_is_a_summary():
    assert listed("clauses") == {}


def test_every_parameter_names_its_content():
    assert listed("names") == {}


@pytest.mark.parametrize(
    "check", [loose_summaries, metaphors, vague_functions], ids=lambda check: check.__name__
)
def test_every_strict_file_keeps_the_rule(check: Callable[[str], list[str]]):
    faults = {str(path.relative_to(ROOT)): check(path.read_text("utf-8")) for path in STRICT_FILES}
    assert {name: listing for name, listing in faults.items() if listing} == {}


def test_the_strict_files_are_there():
    assert all((SOURCE / "interfaces" / part).exists() for part in STRICT)
    assert len(STRICT_FILES) > 100


def test_no_module_has_a_retired_name():
    retired = [
        str(path.relative_to(SOURCE))
        for path in FILES
        if RETIRED_MODULES & set(path.relative_to(SOURCE).with_suffix("").parts)
    ]
    assert retired == []


def test_each_public_class_name_means_one_thing() -> None:
    """A name that two slices share cannot be found by searching for it."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}

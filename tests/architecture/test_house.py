"""The house rules that a machine can hold: the ladder, the facades, sizes, names, and what is declared elsewhere."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from frasier.kernel import errors
from frasier.kernel.fault_points import FAULT_POINTS

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "frasier"
FILES = sorted(SOURCE.rglob("*.py"))

FUNCTION_LINES_MAX = 60
FILE_LINES_MAX = 450
# The one place that waits in a thread, for a process of PostgreSQL that cannot be awaited.
SLEEPERS = {Path("store/embedded/wait_progress.py"), Path("interfaces/client/connection.py")}
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}

# What may be imported from inside another slice, and why: settings must load without the slice; replies are the
# shapes that prompts and settings share; the embedded server and the HTTP client are facades of their own, because
# whoever needs neither need not load them; the web is a part that only the root wires.
INNER_MODULES = {"frasier.llm.reply_schemas", "frasier.outbound.http_client", "frasier.store.embedded"}
WIRED_BY_THE_ROOT = {"frasier.work.research.web"}
HTTP_CLIENTS = {
    *(f"httpx2.{kind}{of}" for kind in ("", "Async") for of in ("Client", "HTTPTransport")),
    *(f"httpx2.{verb}" for verb in ("get", "post", "put", "delete", "request", "stream")),
    *("openai.OpenAI", "OpenAI", "AsyncOpenAI", "AsyncClient"),
}
HTTP_LIBRARIES = {"urllib.request", "http.client", "requests", "aiohttp"}
ROOT_MODULES = {"frasier.app", "frasier.settings", "frasier.__main__"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def module_of(path: Path) -> str:
    parts = ["frasier", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def slice_of(module: str) -> str:
    """The slice that a module is part of. Those of org and the transports are slices of their own."""
    parts = module.split(".")
    depth = 3 if parts[1:2] in (["org"], ["interfaces"]) else 2
    return ".".join(parts[:depth])


def imports_of(path: Path) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Line, module and names of every import of our own, however deep in the file."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("frasier."):
            yield node.lineno, node.module or "", tuple(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("frasier."):
                    yield node.lineno, alias.name, ()


@cache
def exports_of(path: Path) -> list[str]:
    """The names that a facade lists for type checkers, and loads on first use."""
    blocks = [node for node in tree(path).body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return [alias.name for node in imports for alias in node.names]


def facade_of(module: str) -> Path:
    return SOURCE.joinpath(*module.split(".")[1:], "__init__.py")


def may_import(importer: str, module: str) -> bool:
    """Whether `importer` may name `module`, which is inside another slice."""
    if module == slice_of(module) or module.startswith(("frasier.kernel.", "frasier.interfaces.operations.")):
        return True
    if module in INNER_MODULES or (module.endswith(".settings") and importer in ROOT_MODULES):
        return True
    return module in WIRED_BY_THE_ROOT and importer in ROOT_MODULES


def test_the_import_contracts_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    code = lint_imports(no_cache=True, no_logo=True)
    assert code == 0, capsys.readouterr().out


def test_a_slice_is_entered_through_its_facade_only() -> None:
    broken = [
        f"{path.relative_to(SOURCE)}:{line} imports {module}"
        for path in FILES
        for line, module, _ in imports_of(path)
        if slice_of(module) != slice_of(module_of(path)) and not may_import(module_of(path), module)
    ]
    assert broken == []


def test_what_is_imported_from_a_facade_is_exported_there() -> None:
    broken = []
    for path in FILES:
        for line, module, names in imports_of(path):
            if slice_of(module) == slice_of(module_of(path)) or module.startswith("frasier.kernel"):
                continue
            if facade_of(module).is_file():
                hidden = sorted(set(names) - set(exports_of(facade_of(module))))
                broken += [f"{path.relative_to(SOURCE)}:{line} takes {name} from {module}" for name in hidden]
    assert broken == []


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=module_of)
def test_every_export_exists_once_and_is_loaded_on_first_use(path: Path) -> None:
    module = importlib.import_module(module_of(path))
    names = exports_of(path)
    assert [name for name in names if not hasattr(module, name)] == []
    assert len(set(names)) == len(names)
    imported = {name for _, _, found in imports_of(path) for name in found} - {"lazy_exports"}
    assert imported == set(names), "a facade imports for type checkers alone, as `Name as Name`"


def test_functions_and_files_are_small() -> None:
    large = []
    for path in FILES:
        lines = len(path.read_text("utf-8").splitlines())
        if lines > FILE_LINES_MAX:
            large.append(f"{path.relative_to(SOURCE)}: {lines} lines")
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES_MAX:
                    large.append(f"{path.relative_to(SOURCE)}: {node.name} has {length} lines")
    assert large == []


def test_no_module_is_named_after_nothing() -> None:
    assert [str(path.relative_to(SOURCE)) for path in FILES if BANNED_NAMES & {*path.parts, path.stem}] == []


def test_nothing_sleeps_and_nothing_is_left_to_do() -> None:
    broken = []
    for path in FILES:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            sleeps = re.search(r"\btime\.sleep\b", line) and path.relative_to(SOURCE) not in SLEEPERS
            if sleeps or re.search(r"\b(?:TODO|FIXME|XXX|HACK)\b", line):
                broken.append(f"{path.relative_to(SOURCE)}:{number}")
    assert broken == []


def test_only_the_outgoing_client_speaks_http_to_outside_services() -> None:
    """A client made elsewhere would be without its bounds, and outside of tests/contract."""
    of_ours = {
        Path(f"interfaces/client/{name}.py") for name in ("board", "connection")
    }  # ask a server of ours
    broken = []
    for path in FILES:
        where = path.relative_to(SOURCE)
        if where.parts[0] == "outbound" or where in of_ours:
            continue
        for node in ast.walk(tree(path)):
            made = isinstance(node, ast.Call) and ast.unparse(node.func) in HTTP_CLIENTS
            modules = {
                *([node.module or ""] if isinstance(node, ast.ImportFrom) else ()),
                *((alias.name for alias in node.names) if isinstance(node, ast.Import) else ()),
            }
            if made or modules & HTTP_LIBRARIES:
                broken.append(f"{where}:{node.lineno}")
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "openai.AsyncOpenAI":
                bounded = [ast.unparse(word.value) for word in node.keywords if word.arg == "http_client"]
                broken += [] if bounded == ["BoundedClient()"] else [f"{where}:{node.lineno}"]
    assert broken == []


def test_the_drawn_tree_of_errors_is_the_tree_of_classes() -> None:
    drawn: set[tuple[str, str]] = set()
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ([│├└ ]*)([A-Z]\w+)\s", line)
        if not match:
            continue
        depth = len(match.group(1)) // 2
        above = [*above[:depth], match.group(2)]
        if depth:
            drawn.add((match.group(2), above[depth - 1]))
    classes = {
        (value.__name__, value.__bases__[0].__name__)
        for value in vars(errors).values()
        if isinstance(value, type)
        and issubclass(value, errors.FrasierError)
        and value is not errors.FrasierError
    }
    assert drawn == classes


def test_every_declared_fault_point_is_passed_and_every_passed_one_is_declared() -> None:
    passed: set[str] = set()
    for path in FILES:
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "fault_point"
            ):
                named = {
                    inner.value
                    for inner in ast.walk(node.args[0])
                    if isinstance(inner, ast.Constant) and "." in str(inner.value)
                }
                assert named, f"{path.name}:{node.lineno} passes a point that nobody can name"
                passed |= named
    assert passed == FAULT_POINTS.keys()


def test_nothing_is_imported_by_a_name_made_up_at_run_time() -> None:
    """The contracts can only hold what they can see. The exports of a facade are written down as imports, too."""
    dynamic = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in FILES
        if path != SOURCE / "kernel" / "lazy_exports.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id == "__import__")
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "import_module")
        )
    ]
    assert dynamic == []

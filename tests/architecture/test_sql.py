"""Every named statement fits the schema, is used, and stays with the tables of its own slice."""

from __future__ import annotations

import ast
import re
import runpy
from collections import defaultdict
from functools import cache
from pathlib import Path

import psycopg
import pytest

from frasier.store.embedded import EmbeddedServer
from frasier.store.migration_runner import known_migrations
from frasier.store.sql_statements import parse_statements

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "frasier"
FILES = sorted(path for path in SOURCE.rglob("*.sql") if "migrations" not in path.parts)
# Statements that PostgreSQL cannot prepare, with names and numbers that are filled in as literals.
UNPREPARED = SOURCE / "memory" / "vectors" / "unprepared.sql"

# Tables without the name of their slice in front: the audit log, and what the slice board is named after.
OWN_NAMES = {"events": "store", "boards": "board"}
# A task on a board is a task of the engine: boards read what they never write.
READ_BY_BOARDS = {"workflow_tasks", "workflow_dependencies", "workflow_blocks"}


def package_of(path: Path) -> str:
    return ".".join(path.parent.relative_to(SOURCE).parts)


def slice_of(package: str) -> str:
    """The slice whose tables a package may name: board.overview is a part of board."""
    return package.split(".", maxsplit=1)[0]


@cache
def statements() -> dict[tuple[str, str], str]:
    """Every statement by package and name; names that stand in two files of a package are an error."""
    by_package: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        by_package[package_of(path)].append(path.read_text("utf-8"))
    return {
        (package, name): body
        for package, sources in by_package.items()
        for name, body in parse_statements(*sources).items()
    }


def bare(sql: str) -> str:
    """The statement without comments and literals."""
    without_comments = re.sub(r"--[^\n]*", "", sql)
    return re.sub(r"'(?:[^']|'')*'", "''", without_comments)


def for_prepare(sql: str) -> str:
    """The statement with PostgreSQL's own placeholders in the place of psycopg's."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match.group(1), len(numbers) + 1)}"

    return re.sub(r"%\((\w+)\)s", number, sql).replace("%%", "%")


@pytest.fixture(scope="module")
def relations(server) -> dict[str, str]:
    """Tables ("r") and views ("v") of the migrated schema."""
    from frasier.kernel.ids import new_id

    name = f"relations_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    with psycopg.connect(server.url("frasier_owner", name)) as connection:
        rows = connection.execute(
            "select relname, relkind::text from pg_class"
            " where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p') and not relispartition"
        ).fetchall()
    server.drop_database(name)
    return dict(rows)


def owner_of(relation: str) -> str:
    return OWN_NAMES.get(relation, relation.split("_", maxsplit=1)[0])


def named_in(sql: str, relations: dict[str, str]) -> set[str]:
    """The tables and views that a statement reads or writes."""
    text = bare(sql)
    found = {
        name for name in relations if name not in OWN_NAMES and re.search(rf"(?<![\w.]){name}(?!\w)", text)
    }
    # Words that are columns and aliases elsewhere count only where a table must stand.
    return found | {
        name
        for name in OWN_NAMES
        if re.search(rf"\b(?:from|join|into|update|only|using)\s+{name}\b", text, re.IGNORECASE)
    }


def test_the_written_schema_is_that_of_a_fresh_database(server: EmbeddedServer) -> None:
    """The document shows a reviewer what a migration changes."""
    schema_of = runpy.run_path(str(ROOT / "scripts" / "schema.py"))["schema_of"]
    written = (ROOT / "docs" / "schema.sql").read_text("utf-8")
    assert schema_of(server.url("frasier_owner", "frasier_template")) == written, (
        "run python scripts/schema.py"
    )


def test_there_are_statements_of_every_slice_that_stores_something() -> None:
    packages = {slice_of(package) for package, _ in statements()}
    assert packages >= {"store", "llm", "memory", "workflow", "board", "org", "work"}


def test_every_statement_fits_the_migrated_schema(database_url: str) -> None:
    broken = []
    unprepared = {(package_of(UNPREPARED), name) for name in parse_statements(UNPREPARED.read_text("utf-8"))}
    with psycopg.connect(database_url, autocommit=True) as connection:
        for number, ((package, name), sql) in enumerate(statements().items()):
            if (package, name) in unprepared:
                continue
            try:
                connection.execute(f"prepare s{number} as {for_prepare(sql)}".encode())
            except psycopg.Error as error:
                broken.append(f"{package}.{name}: {str(error).splitlines()[0]}")
    assert broken == []


_CLOCKS = re.compile(
    r"(?i)(?<![\w.])(?:(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)"
    r"|current_(?:date|time|timestamp)\b|local(?:time|timestamp)\b|'(?:now|today|tomorrow|yesterday)'::)"
)


def takes_the_time_elsewhere(path: Path) -> bool:
    text = path.read_text("utf-8")
    if path.suffix == ".sql":
        return bool(_CLOCKS.search(re.sub(r"--[^\n]*", "", text).replace("pg_catalog.", "")))
    strings = (
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return any(
        _CLOCKS.search(string.replace("pg_catalog.", "")) and _STATEMENT.search(string) for string in strings
    )


_STATEMENT = re.compile(r"(?i)\b(?:select|insert|update|delete|create|alter|values)\b")


def test_every_statement_takes_the_time_from_the_function_that_a_test_database_offsets() -> None:
    elsewhere = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.suffix in {".py", ".sql"} and takes_the_time_elsewhere(path)
    }
    clock = {f"store/migrations/functions/{name}.sql" for name in ("clock", "test_clock")}
    assert elsewhere == clock


@pytest.mark.parametrize(
    "statement",
    [
        "select now()",
        "update x set at = pg_catalog.clock_timestamp()",
        "create table x (at timestamptz default current_timestamp)",
        "select 'now'::timestamptz",
    ],
)
def test_a_clock_of_its_own_would_be_found(tmp_path: Path, statement: str) -> None:
    for path, text in (
        (tmp_path / "a.sql", statement),
        (tmp_path / "a.py", f'SQL = """{statement}"""'),
    ):
        path.write_text(text)
        assert takes_the_time_elsewhere(path), path.suffix
    path.write_text('"""Say when it happened: now() is the clock."""')
    assert not takes_the_time_elsewhere(path)


def test_every_statement_says_what_it_does() -> None:
    silent = [
        f"{package}.{name}" for (package, name), sql in statements().items() if not sql.startswith("-- ")
    ]
    assert silent == []


def test_every_statement_is_used_by_its_own_package() -> None:
    spoken: dict[str, set[str]] = defaultdict(set)
    homes = {package_of(path) for path in FILES}
    for path in SOURCE.rglob("*.py"):
        package = package_of(path)
        while package not in homes and "." in package:
            package = package.rpartition(".")[0]
        spoken[package] |= {
            node.value
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    unused = [f"{package}.{name}" for package, name in statements() if name not in spoken[package]]
    assert unused == []


def test_no_statement_names_a_table_of_another_slice(relations: dict[str, str]) -> None:
    trespasses = []
    for (package, name), sql in statements().items():
        for relation in sorted(named_in(sql, relations)):
            published = relations[relation] == "v" and "_v_" in relation
            read = slice_of(package) == "board" and relation in READ_BY_BOARDS
            if (
                owner_of(relation) != slice_of(package)
                and not published
                and not read
                and package != "overview"
            ):
                trespasses.append(f"{package}.{name} names {relation}")
    assert trespasses == []


def test_the_overview_reads_and_writes_nothing() -> None:
    writes = re.compile(r"\b(?:insert|update|delete|merge|truncate|for (?:no key )?update)\b", re.IGNORECASE)
    written = [
        name
        for (package, name), sql in statements().items()
        if package == "overview" and writes.search(bare(sql))
    ]
    assert written == []


def writer_of(package: str) -> str:
    """Who answers for a table. The parts of memory share theirs: a checkpoint puts back every one of them."""
    return "memory" if slice_of(package) == "memory" else package


def test_a_table_is_written_by_one_package_only(relations: dict[str, str]) -> None:
    """Inside of a slice too: what people store, planning does not write."""
    writers: dict[str, set[str]] = defaultdict(set)
    for (package, _), sql in statements().items():
        for match in re.finditer(r"\b(?:insert into|update|delete from)\s+(\w+)", bare(sql), re.IGNORECASE):
            if match.group(1) in relations:
                writers[match.group(1)].add(writer_of(package))
    trespasses = {name: sorted(writers[name]) for name in READ_BY_BOARDS if writers[name] != {"workflow"}}
    assert trespasses == {}
    # An attempt to change an event, which must be refused, is no writing.
    writers["events"] -= {"store.inspection"}
    assert {table: sorted(found) for table, found in writers.items() if len(found) > 1} == {}


def test_every_table_is_used_and_bears_the_name_of_its_slice(relations: dict[str, str]) -> None:
    slices = {path.name for path in SOURCE.iterdir() if path.is_dir()}
    assert [name for name in relations if owner_of(name) not in slices] == []
    named: set[str] = {"store_migrations"}  # the runner's own
    for sql in statements().values():
        named |= named_in(sql, relations)
    schema = "\n".join(migration.sql for migration in known_migrations())
    in_functions = {name for name in relations if re.search(rf"\b(?:into|from)\s+{name}\b", schema)}
    assert sorted(relations.keys() - named - in_functions) == []


def test_sql_stands_in_files_of_sql_and_nowhere_else() -> None:
    """But for the store itself, which sets up connections and migrates."""
    stray = []
    for path in SOURCE.rglob("*.py"):
        package = package_of(path)
        if package.split(".")[0] == "store" and not package.startswith("store.inspection"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            spelled = node.args and isinstance(node.args[0], (ast.Constant, ast.JoinedStr))
            if node.func.attr in {"execute", "executemany", "copy"} and spelled:
                stray.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert stray == []


@pytest.mark.parametrize(
    ("sql", "prepared"),
    [
        ("select %(a)s::int, %(b)s::int, %(a)s::int", "select $1::int, $2::int, $1::int"),
        ("select 7 %% 3, '%(x)s'", "select 7 % 3, '$1'"),
    ],
)
def test_placeholders_are_rewritten(sql: str, prepared: str) -> None:
    assert for_prepare(sql) == prepared


def test_a_trespass_would_be_found() -> None:
    known = {"org_missions": "r", "workflow_tasks": "r", "events": "r"}
    assert (
        named_in("-- org_missions\nselect 'workflow_tasks', count(*) as events from org_steps", known)
        == set()
    )
    assert named_in("select * from x join workflow_tasks t on true, org_missions", known) == {
        "workflow_tasks",
        "org_missions",
    }
    assert named_in("with a as (select 1) select * from events", known) == {"events"}

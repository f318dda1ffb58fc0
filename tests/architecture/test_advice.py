"""Advice is structured: no slice below the interfaces names a command or a tool, and every action that is advised exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import frasier
from frasier.interfaces.advice import ACTIONS
from frasier.interfaces.advice.actions import Action
from frasier.interfaces.cli.program import cli
from frasier.interfaces.operations import option_of
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS

SOURCE = Path(frasier.__file__).parent
ROOT = Path(__file__).parent.parent.parent
INTERFACES = SOURCE / "interfaces"
INPUTS = {**MEMORY_OPERATIONS, **TASK_OPERATIONS, **ORGANISATION_OPERATIONS}
TOOL_NAMES = set(INPUTS)
TOOL = re.compile(rf"\b({'|'.join(sorted(name for name in TOOL_NAMES if '_' in name))})\b")
COMMAND = re.compile(r"(?<!hashtext\(')frasier [a-z]+")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Every text of a module that is no docstring, with its line."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    } | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def texts_of_sql(source: str) -> Iterator[tuple[int, str]]:
    """Every literal of SQL, with its line; a name of a lock is written as hashtext('…')."""
    code = re.sub(r"--[^\n]*", "", source)
    for match in re.finditer(r"(hashtext(?:extended)?\()?'((?:[^']|'')*)'", code):
        if not match.group(1):
            yield code.count("\n", 0, match.start()) + 1, match.group(2)


def texts_of_toml(source: str) -> Iterator[tuple[int, str]]:
    """Every line of a table of a process that is no comment."""
    for number, line in enumerate(source.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            yield number, line


NOT_TYPED = {
    "artefact_evaluate.evidence",
    "artefact_evaluate.inaccuracies",
    "artefact_evaluate.missing",
    "artefact_evaluate.unused",
    "artefact_evaluate.useful",
    "checkpoint_restore.mode",
    "event_list.before",
    "memory_bulk_delete.confirm",
    "memory_bulk_delete.older_than_days",
    "memory_bulk_delete.tier",
    "memory_bulk_save.memories",  # `frasier memory import` reads them from a file
    "memory_corrections.stats",
    "memory_delete.keep_checkpoint",  # `frasier memory delete` keeps one unless it is told --final
    "memory_get.versions",
    "memory_list.full",  # `frasier memory export`
    "mission_run.documents",
    "mission_run.uploads",
    "say.documents",
    "say.uploads",
    "session_recover.forget_sent",
    "session_save.done",
    "skill_approve.hash",
    "task_decide.approve",
    "task_list.per_status",
    "task_note.state",
}
"""Inputs that no option or argument holds: the command gives them itself, or does without."""

READERS = {".py": texts, ".sql": texts_of_sql, ".toml": texts_of_toml}


def named_interfaces(source: str, suffix: str = ".py") -> list[str]:
    """Texts of a module that name a command or, within a sentence, an option or a tool. Patterns are no sentences."""
    return [
        f"{line}: {text}"
        for line, text in READERS[suffix](source)
        if "(?" not in text
        and (COMMAND.search(text) or (" " in text.strip() and (OPTION.search(text) or TOOL.search(text))))
    ]


@pytest.mark.parametrize(
    ("suffix", "fault"),
    [
        (".py", 'hint = "Run `frasier task list`."'),
        (".py", "hint = \"Run 'frasier task list'.\""),
        (".py", 'hint = "task_list shows them."'),
        (".py", 'hint = "Give --sources."'),
        (".sql", "raise exception 'task_list shows them.';"),
        (".toml", 'about = "task_list shows them."'),
    ],
)
def test_a_sentence_that_names_a_command_or_a_tool_is_found(suffix: str, fault: str):
    assert named_interfaces(fault, suffix)


def test_no_slice_below_the_interfaces_names_a_command_or_a_tool():
    below = [
        path
        for path in sorted(SOURCE.rglob("*"))
        if path.suffix in READERS and INTERFACES not in path.parents
    ]
    found = {
        str(path.relative_to(SOURCE)): named
        for path in below
        if (named := named_interfaces(path.read_text("utf-8"), path.suffix))
    }
    assert found == {}


def command_of(action: Action) -> Any:
    """Return the command that takes an action."""
    command: Any = get_command(cli)
    for word in takewhile(lambda word: word[0] not in "{-", action.command.split()):
        command = command.commands[word]
    return command


def test_an_input_is_named_by_an_option_or_argument_that_the_command_has():
    unnamed = set()
    for action in filter(lambda action: action.tool, ACTIONS.values()):
        params = command_of(action).params
        names = {
            name
            for one in params
            for name in (*one.opts, "/".join((*one.opts, *one.secondary_opts)), one.metavar)
        }
        for name, field in INPUTS[action.tool].input.model_fields.items():
            if option_of(field).label(name) not in names:
                unnamed.add(f"{action.tool}.{name}")
    assert unnamed == NOT_TYPED


def test_every_tool_is_an_action_and_every_action_a_command():
    assert {action.tool for action in ACTIONS.values() if action.tool} == TOOL_NAMES
    for name, action in ACTIONS.items():
        command = command_of(action)
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        positional = action.command.partition(" --")[0].count("{") + action.command.count(" -- ")
        assert positional <= len(arguments) or any(one.nargs == -1 for one in arguments), name
        required = [one.metavar for one in arguments if one.required]
        assert len(required) <= positional, f"{name} cannot be typed without {required}"


def test_every_advised_action_exists_and_is_typed_with_options_that_its_command_has():
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Advice"
            ):
                continue
            where = f"{path.relative_to(SOURCE)}:{node.lineno}"
            assert isinstance(node.args[0], ast.Constant), where
            action = ACTIONS[str(node.args[0].value)]
            command = command_of(action)
            known = {option for one in command.params for option in one.opts}
            for keyword in node.keywords:
                name = str(keyword.arg)
                if action.tool and name not in (
                    "to",
                    "answer",
                ):  # the founder alone is told to answer, in commands
                    assert name in INPUTS[action.tool].input.model_fields, (where, name)
                if name == "to" or {f"{{{name}}}", f"{{{name}?}}"} & set(action.command.split()):
                    continue
                assert action.options.get(name, f"--{name.replace('_', '-')}") in known, (where, name)


# A command line in a page, a sentence or a console; two spaces end it, for what it does stands behind them.
COMMAND_LINE = re.compile(r"(?:<code>|`|^\$ )frasier ((?:(?!  | [;#>|] | -- )[^<`\n])*)", re.MULTILINE)


def command_lines() -> Iterator[str]:
    """Yield the commands that templates, documents and skills of agents name."""
    pages = (INTERFACES / "web" / "templates").rglob("*.html")
    documents = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *SOURCE.rglob("*.md"))
    for path in (*pages, *documents):
        if path.name not in {"CHANGELOG.md", "PLAN.md"}:  # they name what was, and what shall be
            yield from COMMAND_LINE.findall(path.read_text("utf-8"))


def wrong_words(line: str) -> list[str]:
    """Return the words of a command line that are no command and no option of the command."""
    command: Any = get_command(cli)
    for word in line.split():
        if not hasattr(command, "commands") or not word[0].islower():
            break
        if unknown := set(word.split("|")) - command.commands.keys():
            return sorted(unknown)
        command = command.commands[word.split("|")[0]]
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    return sorted(set(re.findall(r"(?<![\w-])--[a-z-]+", line)) - options - {"--help"})


def test_a_command_that_a_page_or_a_document_names_exists_and_has_its_options():
    lines = set(command_lines())
    assert len(lines) > 100
    assert {line: wrong for line in lines if (wrong := wrong_words(line))} == {}


@pytest.mark.parametrize("line", ["mission show last", "missions shown last", "missions show last --absent"])
def test_a_wrong_command_is_found(line: str):
    assert wrong_words(line)

"""Write the typed methods of the Python client from the models of the operations; with --check, only check them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

from pydantic import AwareDatetime
from pydantic.fields import FieldInfo

from frasier.interfaces.client.typed_calls import OPERATIONS
from frasier.interfaces.operations import AnyOperation
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.resources import PLACES, RESOURCE_OF

FOLDER = Path(__file__).parents[1] / "src" / "frasier" / "interfaces" / "client"
_OF_PEOPLE = ("agent_", "team_", "persona_", "trial_", "proposal_", "artefact_", "evaluation_")
FAMILIES: Mapping[str, tuple[str, Mapping[str, AnyOperation]]] = {
    "memory_methods.py": (
        "MemoryMethods",
        {name: one for name, one in MEMORY_OPERATIONS.items() if name.startswith("memory_")},
    ),
    "session_methods.py": (
        "SessionMethods",
        {name: one for name, one in MEMORY_OPERATIONS.items() if not name.startswith("memory_")},
    ),
    "task_methods.py": ("TaskMethods", TASK_OPERATIONS),
    "people_methods.py": (
        "PeopleMethods",
        {name: one for name, one in ORGANISATION_OPERATIONS.items() if name.startswith(_OF_PEOPLE)},
    ),
    "organisation_methods.py": (
        "OrganisationMethods",
        {name: one for name, one in ORGANISATION_OPERATIONS.items() if not name.startswith(_OF_PEOPLE)},
    ),
}
_SUBJECTS = {
    "MemoryMethods": "the memory",
    "SessionMethods": "sessions, snapshots and learning",
    "TaskMethods": "the boards",
    "PeopleMethods": "agents, teams, personas, improvements and evaluations",
    "OrganisationMethods": "the organisation",
}
_WIDTH = 106


class Module:
    """The text of one module of methods, with the imports that its types need."""

    def __init__(self, name: str, operations: Mapping[str, AnyOperation]) -> None:
        self._name = name
        self._operations = operations
        self._imports: dict[str, set[str]] = {}

    def text(self) -> str:
        methods = "\n".join(self._method(one) for one in self._operations.values())
        imports = "".join(
            f"    from {module} import {', '.join(sorted(names))}\n"
            for module, names in sorted(self._imports.items())
        )
        return (
            f'"""The operations of {_SUBJECTS[self._name]} as methods; written by scripts/client.py."""\n\n'
            "from __future__ import annotations\n\n"
            "from typing import TYPE_CHECKING\n\n"
            "from frasier.interfaces.client.typed_calls import TypedCalls\n\n"
            f"if TYPE_CHECKING:\n{imports}\n\n"
            f"class {self._name}(TypedCalls):\n"
            f'    """The operations of {_SUBJECTS[self._name]}."""\n\n'
            f"{methods}\n"
        )

    def _method(self, operation: AnyOperation) -> str:
        fields = {name: field for name, field in operation.input.model_fields.items() if name not in PLACES}
        in_path = RESOURCE_OF[operation.name].path_inputs
        required = [name for name, field in fields.items() if field.is_required() or name in in_path]
        optional = [name for name in fields if name not in required]
        pages = len(fields) < len(operation.input.model_fields)
        output = self._import(operation.output)
        kind = "ResultPage" if pages else "Envelope"
        self._imports.setdefault(
            "frasier.interfaces.client.typed_calls" if pages else "frasier.interfaces.operations", set()
        ).add(kind)
        parameters = ["self", *(f"{name}: {self._type(fields[name])}" for name in required)]
        if optional:
            parameters += ["*", *(f"{name}: {self._optional(fields[name])} = None" for name in optional)]
        listed = ", ".join(parameters)
        about = textwrap.wrap(
            f'"""Call `{operation.name}`. {_sentence(operation.about)}', _WIDTH, subsequent_indent="        "
        )
        joined = "\n".join(["        " + about[0], *about[1:]])
        closing = '"""' if len(about) == 1 else '\n        """'
        place = f"{operation.output.__module__.removeprefix(OPERATIONS)}:{output}"
        return (
            f"    def {operation.name}({listed}) -> {kind}[{output}]:\n{joined}{closing}\n"
            f'        return self._{"page" if pages else "run"}("{operation.name}", "{place}", locals())\n'
        )

    def _type(self, field: FieldInfo) -> str:
        return self._render(field.annotation)

    def _optional(self, field: FieldInfo) -> str:
        rendered = self._type(field)
        return rendered if rendered.endswith("| None") else f"{rendered} | None"

    def _render(self, annotation: Any) -> str:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._render(arguments[0])
        if origin in (Union, UnionType):
            rendered = [self._render(one) for one in arguments if one is not NoneType]
            return " | ".join([*rendered, *(["None"] if NoneType in arguments else [])])
        if origin is Literal:
            self._imports.setdefault("typing", set()).add("Literal")
            return f"Literal[{', '.join(repr(one) for one in arguments)}]"
        if origin in (tuple, list, set, frozenset):
            self._imports.setdefault("collections.abc", set()).add("Sequence")
            return f"Sequence[{self._render(arguments[0])}]"
        if origin is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
            self._imports.setdefault("collections.abc", set()).add("Mapping")
            return f"Mapping[{', '.join(self._render(one) for one in arguments)}]"
        return self._plain(annotation)

    def _plain(self, annotation: Any) -> str:
        if annotation is Any:
            self._imports.setdefault("typing", set()).add("Any")
            return "Any"
        if annotation is AwareDatetime:
            annotation = datetime
        if annotation in (str, int, float, bool):
            return str(annotation.__name__)
        name = self._import(annotation)
        # A name or an id may also be given as a text.
        return f"{name} | str" if annotation is UUID or issubclass(annotation, Enum) else name

    def _import(self, kind: type) -> str:
        self._imports.setdefault(_facade(kind), set()).add(kind.__name__)
        return kind.__name__


def _facade(kind: type) -> str:
    """Return the module to import a class from: the first package above it that exports it, else its own."""
    parts = kind.__module__.split(".")
    for end in range(2, len(parts)):
        package = ".".join(parts[:end])
        if getattr(import_module(package), kind.__name__, None) is kind:
            return package
    return kind.__module__


def _sentence(about: str) -> str:
    text = about.replace("\\", "\\\\")
    return text if text.endswith(".") else f"{text}."


def rendered() -> Mapping[Path, str]:
    """Return the text of each module."""
    return {
        FOLDER / file: _formatted(Module(name, operations).text())
        for file, (name, operations) in FAMILIES.items()
    }


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FOLDER / "methods.py"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(any(path.read_text("utf-8") != text for path, text in rendered().items()))
    for path, text in rendered().items():
        path.write_text(text, encoding="utf-8")

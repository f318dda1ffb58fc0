"""Every setting by group, with its default and what is allowed; and for a process the value and where it comes from."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from frasier.overview import SettingGroup, SettingSource, SettingValue
from frasier.settings import Settings, settings_file

INTERNAL = {"home_named"}
_PREFIX = "FRASIER_"
_HIDDEN = "set, and not shown"
_USUAL_KEYS = ("OPENROUTER_API_KEY", "OPENAI_API_KEY")
_CREDENTIALS = re.compile(r"://[^/@\s]+@")


def setting_groups() -> Iterator[SettingGroup]:
    """Yield each group of settings with its docstring and defaults, an outer one before those within it."""
    yield from _groups(Settings, _PREFIX, None, Path())


def settings_in_effect(settings: Settings) -> tuple[SettingGroup, ...]:
    """Return each group with the values of this process, which read its environment and file; secrets are hidden."""
    return tuple(_groups(Settings, _PREFIX, settings, settings_file()))


def _groups(
    model: type[BaseModel], prefix: str, settings: BaseModel | None, file: Path
) -> Iterator[SettingGroup]:
    fields = {name: field for name, field in model.model_fields.items() if name not in INTERNAL}
    nested = {name: kind for name, field in fields.items() if (kind := _nested(field))}
    yield SettingGroup(
        prefix=prefix,
        about=inspect.cleandoc(model.__doc__ or ""),
        settings=tuple(
            SettingValue(
                name=f"{prefix}{name.upper()}",
                default=_default(field),
                allowed=_bounds(field),
                value=_value_text(getattr(settings, name)) if settings else "",
                source=_source(settings, name, prefix) if settings else SettingSource.DEFAULT,
                given_by=_given_by(settings, name, prefix, file) if settings else "",
            )
            for name, field in fields.items()
            if name not in nested
        ),
    )
    for name, kind in nested.items():
        inner = getattr(settings, name) if settings else None
        yield from _groups(kind, f"{prefix}{name.upper()}__", inner, file)


def _nested(field: FieldInfo) -> type[BaseModel] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _source(settings: BaseModel, name: str, prefix: str) -> SettingSource:
    """Return where a process took a setting from when it began: what is not set has its default."""
    if isinstance(settings, Settings) and name == "home":
        is_set = settings.home_named
    else:
        is_set = name in settings.model_fields_set
    if not is_set:
        return SettingSource.DEFAULT
    return SettingSource.ENVIRONMENT if _variable(settings, name, prefix) else SettingSource.FILE


def _given_by(settings: BaseModel, name: str, prefix: str, file: Path) -> str:
    match _source(settings, name, prefix):
        case SettingSource.ENVIRONMENT:
            return _variable(settings, name, prefix)
        case SettingSource.FILE:
            return str(file)
        case SettingSource.DEFAULT:
            return ""


def _variable(settings: BaseModel, name: str, prefix: str) -> str:
    """Return the variable of the environment that gives a setting: its own, that of its group, or a usual key."""
    names = {variable.upper(): variable for variable in os.environ}
    own = f"{prefix}{name.upper()}"
    if own in names:
        return names[own]
    group, within = prefix.removesuffix("__"), [name]
    while group.startswith(_PREFIX) and group != _PREFIX:
        if group in names and _holds(os.environ[names[group]], within):
            return names[group]
        group, _, inner = group.rpartition("__")
        within.insert(0, inner.lower())
    value = getattr(settings, name)
    if isinstance(value, SecretStr) and value.get_secret_value():
        return next((one for one in _USUAL_KEYS if os.environ.get(one) == value.get_secret_value()), "")
    if prefix == "FRASIER_LLM__" and name == "base_url" and value == os.environ.get("OPENAI_BASE_URL"):
        return "OPENAI_BASE_URL"
    return ""


def _holds(text: str, path: list[str]) -> bool:
    """Tell whether the JSON of a group has a value at a path."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return False
    for part in path:
        if not isinstance(value, Mapping):
            return False
        by_name = {str(key).lower(): item for key, item in value.items()}
        if part not in by_name:
            return False
        value = by_name[part]
    return True


def _value_text(value: Any) -> str:
    """Return a value as text; a secret only as set or not, and an address without its credentials."""
    if isinstance(value, SecretStr):
        return _HIDDEN if value.get_secret_value() else ""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, frozenset | set):
        return ", ".join(sorted(map(str, value)))
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return _CREDENTIALS.sub("://…@", str(value))


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "~/.frasier" if field.default_factory and field.annotation is Path else ""
    value: Any = field.default
    if value is None or value in ("", frozenset()) or isinstance(value, SecretStr):
        return ""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _bounds(field: FieldInfo) -> str:
    choices = [str(choice) for choice in get_args(field.annotation) if isinstance(choice, str)]
    limits = []
    for rule in field.metadata:
        for mark, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<")):
            if (bound := getattr(rule, mark, None)) is not None:
                limits.append(f"{sign} {bound}")
    return " or ".join(choices) or ", ".join(limits)

"""The settings of a process, read once from FRASIER_* in the environment and from an optional file."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from frasier.board.settings import BoardSettings
from frasier.interfaces.server_settings import ServerSettings
from frasier.interfaces.telemetry_settings import TelemetrySettings
from frasier.interfaces.webhook_settings import WebhookSettings
from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError
from frasier.kernel.validation_messages import wrong_value
from frasier.llm.settings import LlmSettings
from frasier.memory.settings import MemorySettings
from frasier.org.governance.settings import AutonomySettings
from frasier.org.planning import PlanningSettings
from frasier.org.skills.settings import SkillSettings
from frasier.work.research.web.settings import WebSettings
from frasier.work.settings import PipelineSettings, WorkerSettings

if TYPE_CHECKING:
    from frasier.kernel.setting_names import SettingNames

_CONNECTIONS_FOR_ONE_HOST = 3
_NAME_IN_FILE = re.compile(r"^\s*(?:export\s+)?(\w+)\s*=", re.MULTILINE)


class DatabaseSettings(BaseModel):
    """An external server (FRASIER_DATABASE_URL). `owner_url` runs migrations if another role owns the schema.

    Where FRASIER_DATABASE_URL goes through a pooler in transaction mode, set `pooled` and `direct_url`: an address of
    the same role that reaches the server itself, for LISTEN and the leases of workers. `owner_url` must reach it, too.

    A process opens at most `connections` for its statements, and up to three that listen. An MCP server over standard
    input opens at most 3 for its statements unless `connections` is set, because each agent has one of its own.
    """

    model_config = SettingsConfigDict(frozen=True)

    owner_url: SecretStr | None = None
    direct_url: SecretStr | None = None
    pooled: bool = False
    connections: int = Field(default=8, ge=2, le=200)

    def connections_for(self, *, one_host: bool) -> int:
        """Return the most connections for statements of a process, or of one that serves a single host."""
        chosen = "connections" in self.model_fields_set
        return _CONNECTIONS_FOR_ONE_HOST if one_host and not chosen else self.connections


class Settings(BaseSettings):
    """All settings. Nested values are written FRASIER_LLM__T2_MODEL=…, FRASIER_WEB__SEARCH=…

    `token` identifies the member (or the founder) for whom `frasier task` and an MCP server over standard input act.
    Without one, commands act as the founder; an MCP server does not, and sees nothing of the organisation. `time_zone`
    is the founder's, which agents are told with the date; by default that of the machine.
    """

    model_config = SettingsConfigDict(
        env_prefix="FRASIER_",
        env_nested_delimiter="__",
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    home: Path = Field(default_factory=lambda: Path.home() / ".frasier")
    home_named: bool = False
    log_level: Literal["debug", "info", "warning", "error"] = "error"
    database_url: SecretStr | None = None
    database: DatabaseSettings = DatabaseSettings()
    server: ServerSettings = ServerSettings()
    llm: LlmSettings = LlmSettings()
    memory: MemorySettings = MemorySettings()
    web: WebSettings = WebSettings()
    webhooks: WebhookSettings = WebhookSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    worker: WorkerSettings = WorkerSettings()
    pipeline: PipelineSettings = PipelineSettings()
    planning: PlanningSettings = PlanningSettings()
    autonomy: AutonomySettings = AutonomySettings()
    workflow: BoardSettings = BoardSettings()
    skills: SkillSettings = SkillSettings()
    token: SecretStr = SecretStr("")
    time_zone: str = ""

    @field_validator("time_zone")
    @classmethod
    def _is_time_zone(cls, value: str) -> str:
        if value:
            try:
                ZoneInfo(value)
            except (ZoneInfoNotFoundError, ValueError, OSError):
                raise PydanticCustomError(
                    "time_zone", "it is no time zone; write one such as Europe/Berlin"
                ) from None
        return value

    @field_validator("home", mode="before")
    @classmethod
    def _refuse_empty_home(cls, value: Any) -> Any:
        if value == "":  # an empty path would mean the current folder
            raise PydanticCustomError("empty_home", "it is set, and empty")
        return value

    @property
    def external_url(self) -> str | None:
        """The URL of an external PostgreSQL, or None for the embedded one."""
        return self.database_url.get_secret_value() if self.database_url else None

    @property
    def direct_url(self) -> str | None:
        """The URL that reaches a given server past any pooler, as the application's role."""
        secret = self.database.direct_url
        return secret.get_secret_value() if secret else self.external_url

    @property
    def owner_url(self) -> str | None:
        """The URL that migrations use, where a server is given."""
        secret = self.database.owner_url
        return secret.get_secret_value() if secret else self.direct_url

    @property
    def deliverables(self) -> Path:
        """The folder in which missions without a destination of their own are published."""
        return self.home / "deliverables"


def settings_file() -> Path:
    """Return the file of settings: the one that FRASIER_ENV_FILE names, else settings.env of the home."""
    if named := os.environ.get("FRASIER_ENV_FILE"):
        return Path(named)
    home = os.environ.get("FRASIER_HOME") or "~/.frasier"
    return Path(os.path.expanduser(home)) / "settings.env"  # noqa: PTH111  that of Path raises for an unknown user


def load_settings(env_file: Path | None = None, **overrides: Any) -> Settings:
    """The settings of this process: from the environment, and from `env_file`, by default that of `settings_file`.

    The usual variables of the model services are understood where neither a key nor an address is set here:
    OPENROUTER_API_KEY, and OPENAI_API_KEY (with OPENAI_BASE_URL) once the three models are named. Raises
    ConfigurationError naming each wrong or unknown setting.
    """
    file = env_file or settings_file()
    in_file = _names_in(file)
    if not in_file and os.environ.get("FRASIER_ENV_FILE") and not file.is_file():
        raise ConfigurationError(
            f"FRASIER_ENV_FILE names {file}, which is not a file.",
            kept="Nothing was started.",
            hint="Correct the path, or unset FRASIER_ENV_FILE.",
        )
    _refuse_unknown_names({*os.environ}, "")
    _refuse_unknown_names(in_file, f" in {file}")
    try:
        settings = Settings(_env_file=file if in_file else None, **overrides)
    except SettingsError:
        raise _unreadable_json() from None
    except ValidationError as error:
        raise ConfigurationError(
            f"A setting is wrong: {'; '.join(_problems(error))}.",
            hint="See docs/SETTINGS.md for accepted values.",
            advice=Advice("doctor.run", to="see what is set"),
        ) from None
    _refuse_pooler_alone(settings)
    named = "home" in settings.model_fields_set
    home = _resolve_home(settings.home, writes=settings.database_url is None)
    return settings.model_copy(
        update={"home": home, "home_named": named, "llm": _with_usual_keys(settings.llm)}
    )


def _resolve_home(path: Path, *, writes: bool) -> Path:
    """Resolve the home to an absolute path, whether or not it exists. Raises ConfigurationError for an unusable one.

    `writes` says that it also holds the database. A dangling link is refused: following it would create an empty home
    where a disk is not mounted, as if everything were lost.
    """
    try:
        named = path.expanduser().absolute()
        for place in (named, *named.parents):
            if place.is_symlink() and not place.exists():
                raise _home_error(path, f"{place} is a link to {place.readlink()}, which is not there")
        home = named.resolve()
        nearest = next(place for place in (home, *home.parents) if place.exists())
        if not nearest.is_dir():
            raise _home_error(path, f"{nearest} is not a directory")
        if writes and not os.access(nearest, os.W_OK | os.X_OK, effective_ids=True):
            raise _home_error(path, f"this user cannot write to {nearest}")
    # An overlong name, a circle of links, or an unknown user.
    except (OSError, RuntimeError) as error:
        raise _home_error(path, getattr(error, "strerror", None) or str(error).rstrip(".")) from error
    return home


def _home_error(path: Path, reason: str) -> ConfigurationError:
    return ConfigurationError(
        f"The home {path} cannot be used: {reason}.",
        kept="Nothing was created or changed.",
        hint="Set FRASIER_HOME to a directory of your own, or to a place where one can be created.",
    )


def setting_names() -> SettingNames:
    """Return the names of the settings that are set. A file that cannot be read has none; load_settings says why."""
    from frasier.kernel.setting_names import SettingNames  # noqa: PLC0415  only `frasier doctor` asks for them

    file = settings_file()
    in_environment = {name for name in os.environ if name.startswith("FRASIER_")}
    try:
        in_file = _names_in(file)
    except ConfigurationError:
        in_file = set()
    return SettingNames(tuple(sorted(in_environment)), file, tuple(sorted(in_file - in_environment)))


def _names_in(file: Path) -> set[str]:
    """Return the names of the variables in a file of settings; none if there is no file."""
    try:
        is_there = file.is_file()
    except (OSError, ValueError):
        return set()  # its folder cannot be used, which whoever needs the home says
    if not is_there:
        return set()
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"The settings in {file} cannot be read: {getattr(error, 'strerror', None) or error}.",
            hint="Make the file readable, or name another with FRASIER_ENV_FILE.",
        ) from error
    return set(_NAME_IN_FILE.findall(text))


def _refuse_unknown_names(names: set[str], place: str) -> None:
    """Refuse unknown variables of `place`: a mistyped name would otherwise be ignored silently."""
    known = {"FRASIER_FAULT", "FRASIER_ENV_FILE", *_setting_names(Settings, "FRASIER_")}
    single = known - set(_group_names(Settings, "FRASIER_"))
    for name in sorted(names):
        if name.startswith("FRASIER_") and name not in known:
            close = difflib.get_close_matches(name, single, n=1)
            raise ConfigurationError(
                f"{name}{place} is not a setting.",
                hint=f"Did you mean {close[0]}?" if close else "docs/SETTINGS.md lists them.",
            )


def _refuse_pooler_alone(settings: Settings) -> None:
    """Refuse a pooler without a direct URL: in transaction mode it breaks LISTEN and leaks session state."""
    if settings.database_url and settings.database.pooled and not settings.database.direct_url:
        raise ConfigurationError(
            "FRASIER_DATABASE__POOLED is set without FRASIER_DATABASE__DIRECT_URL.",
            kept="Nothing was changed.",
            hint="Set FRASIER_DATABASE__DIRECT_URL to an address of the application's role that reaches the server"
            " itself, past the pooler.",
        )


def _unreadable_json() -> ConfigurationError:
    wrong = [name for name in _group_names(Settings, "FRASIER_") if name in os.environ and not _is_json(name)]
    if wrong:
        return ConfigurationError(
            f"{' and '.join(wrong)} cannot be read: a group of settings is written as JSON.",
            hint=f"Or set each by itself, as {wrong[0]}__NAME=…; docs/SETTINGS.md lists them.",
        )
    wrong = [name for name in _list_names(Settings, "FRASIER_") if name in os.environ and not _is_json(name)]
    return ConfigurationError(
        f"{' and '.join(wrong) or 'A list in the file of FRASIER_ENV_FILE'} cannot be read: a list is written as JSON.",
        hint="""Write it as '["one", "another"]', quotes and brackets included.""",
    )


def _is_json(name: str) -> bool:
    try:
        json.loads(os.environ[name])
    except ValueError:
        return False
    return True


def _list_names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if get_origin(field.annotation) in {tuple, frozenset, list}:
            yield f"{prefix}{name.upper()}"
        elif isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _list_names(field.annotation, f"{prefix}{name.upper()}__")


def _group_names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield f"{prefix}{name.upper()}"
            yield from _group_names(field.annotation, f"{prefix}{name.upper()}__")


def _setting_names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{prefix}{name.upper()}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _setting_names(field.annotation, f"{prefix}{name.upper()}__")


def _problems(error: ValidationError) -> list[str]:
    # Without the value: it may be a secret.
    return [
        wrong_value(_variable(problem["loc"]), problem)
        for problem in error.errors(include_input=False, include_url=False)
    ]


def _variable(location: tuple[int | str, ...]) -> str:
    """Name the variable with the invalid value and, in a list, the item."""
    names = [part.upper() for part in location if isinstance(part, str)]
    items = [f" (item {part + 1})" for part in location if isinstance(part, int)]
    return f"FRASIER_{'__'.join(names)}{''.join(items)}"


def _with_usual_keys(llm: LlmSettings) -> LlmSettings:
    if llm.provider == "rehearsal" or llm.model_fields_set & {"api_key", "base_url"}:
        return llm  # a key never goes to another address than its own
    if key := os.environ.get("OPENROUTER_API_KEY"):
        return llm.model_copy(update={"api_key": SecretStr(key)})
    models_named = {"t1_model", "t2_model", "t3_model"} <= llm.model_fields_set
    if models_named and (key := os.environ.get("OPENAI_API_KEY")):
        base_url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
        return llm.model_copy(update={"api_key": SecretStr(key), "base_url": base_url})
    return llm

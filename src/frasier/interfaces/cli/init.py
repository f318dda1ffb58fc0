"""`frasier init`: the settings that an installation needs, asked one at a time and tested before they are written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias

import typer

from frasier.interfaces.cli.settings_file import write_settings
from frasier.interfaces.cli.terminal_questions import (
    ask,
    ask_choice,
    ask_number,
    ask_secret,
    require_terminal,
)
from frasier.kernel.errors import FrasierError, InvalidInput
from frasier.kernel.text import strip_control

if TYPE_CHECKING:
    from frasier.interfaces.cli.application import Application, Installation
    from frasier.interfaces.services import Services

_TIERS = {"t1": "quick work and reviews", "t2": "research and writing", "t3": "the hardest work"}
_LOCAL = "http://localhost:11434/v1"
_WHERE = (
    "Where do the models come from: OpenRouter, a server of your choice with the same interface,"
    " or a rehearsal without any"
)
_KEYS = ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "FRASIER_LLM__API_KEY", "FRASIER_LLM__BASE_URL")
_AFTER_A_FAULT = ("again", "keep", "without")

Variables: TypeAlias = Mapping[str, str | None]
"""Values of variables; None removes one."""

# A key on the command line would stand in the history of the shell; whoever gives one is told so without repeating it.
RefusedArguments = Annotated[list[str] | None, typer.Argument(hidden=True)]


def init(context: typer.Context, values: RefusedArguments = None) -> None:
    """Set up Frasier: models, web search, spending. Asks one question at a time, tests each key, writes a file.

    Run it again to change something; what you leave empty stays as it is.
    """
    if values:
        raise InvalidInput(
            "`frasier init` takes nothing on the command line, where the shell would keep it.",
            kept="Nothing was written.",
            hint="Call it alone; it asks for keys, and does not show them.",
        )
    application: Application = context.obj
    installation = application.installation()
    path = installation.settings_file
    require_terminal(
        "`frasier init`",
        hint=f"Write the settings into {path}, NAME=value a line, or set them as variables;"
        " docs/SETTINGS.md lists them.",
    )
    typer.echo(f"The answers are written to {path}, which only you can read.", err=True)
    draft = path.with_name(f".{path.name}-draft")
    variables: dict[str, str | None] = {}
    try:
        for group in (_Models(installation), _Search(installation)):
            variables.update(_until_it_works(group, application, draft, installation, variables))
        variables.update(_ask_caps(installation))
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("\nNothing was written.", err=True)
        raise typer.Exit(130) from None
    finally:
        draft.unlink(missing_ok=True)
    write_settings(path, variables, based_on=path)
    typer.echo(f"Written to {path}.")
    for name in sorted(variables.keys() & os.environ.keys()):
        typer.echo(f"{name} is set in the environment too, and that comes first.", err=True)
    typer.echo("`frasier demo` runs an example; `frasier doctor` checks everything.")


class _Group(Protocol):
    """Questions about one subject. `nothing` are the variables of an installation that does without it; `without` says
    what that means.
    """

    nothing: Variables
    without: str

    def ask(self) -> Variables:
        """Ask, and return the variables to set, None for those to remove."""
        ...

    async def attempt(self, services: Services) -> list[str]:
        """Test the services of these settings, and return what is wrong with them."""
        ...


async def _attempt(group: _Group, application: Application, draft: Path) -> list[str]:
    async with application.services(draft) as services:
        return await group.attempt(services)


def _until_it_works(
    group: _Group, application: Application, draft: Path, installation: Installation, answered: Variables
) -> Variables:
    """Ask, test what was answered, and ask again until it works or the founder decides otherwise."""
    import asyncio

    while True:
        variables = group.ask()
        if variables == group.nothing:
            typer.echo(group.without, err=True)
            return variables
        write_settings(draft, {**answered, **variables}, based_on=installation.settings_file)
        typer.echo("Testing…", err=True)
        try:
            faults = asyncio.run(_attempt(group, application, draft))
        except FrasierError as error:
            faults = [" ".join(part for part in (error.message, error.hint) if part)]
        if not faults:
            typer.echo("It works.", err=True)
            return variables
        for fault in faults:
            typer.echo(strip_control(f"It does not work: {fault}"), err=True)
        match ask_choice("Ask again, keep it nevertheless, or do without", _AFTER_A_FAULT, default="again"):
            case "keep":
                return variables
            case "without":
                typer.echo(group.without, err=True)
                return group.nothing


class _Models:
    """The questions about models."""

    without = (
        "Without a model every run is a rehearsal: a stand-in extracts and cites, and writes nothing itself."
    )

    def __init__(self, installation: Installation) -> None:
        # Where the environment has a key, only this keeps it from being used.
        provider = "rehearsal" if any(map(os.environ.get, _KEYS)) else None
        self.nothing: Variables = {
            "FRASIER_LLM__PROVIDER": provider,
            "FRASIER_LLM__API_KEY": None,
            "FRASIER_LLM__BASE_URL": None,
        }
        self._llm = installation.llm
        self._is_first = not installation.settings_file.exists()

    def ask(self) -> Variables:
        from frasier.llm import OPENROUTER_URL

        llm = self._llm
        is_own = llm.base_url != OPENROUTER_URL
        present = (
            "server" if is_own else "openrouter" if self._is_first or not llm.is_rehearsal else "rehearsal"
        )
        where = ask_choice(_WHERE, ("openrouter", "server", "rehearsal"), default=present)
        if where == "rehearsal":
            return self.nothing
        variables: dict[str, str | None] = {"FRASIER_LLM__PROVIDER": None}
        if where == "openrouter":
            variables["FRASIER_LLM__BASE_URL"] = None
            stays = llm.api_key is not None and not is_own
            return {**variables, **_secret("FRASIER_LLM__API_KEY", "The key of OpenRouter", is_set=stays)}
        address = _ask_value("Its address", "base_url", default=llm.base_url if is_own else _LOCAL)
        variables["FRASIER_LLM__BASE_URL"] = address
        stays = llm.api_key is not None and address.rstrip("/") == llm.base_url
        variables.update(_secret("FRASIER_LLM__API_KEY", "Its key, empty if it needs none", is_set=stays))
        models: dict[str, str] = {}
        for tier, work in _TIERS.items():
            default = getattr(llm, f"{tier}_model") if is_own else next(iter(models.values()), "")
            question = f"The model for {work}"
            models[f"FRASIER_LLM__{tier.upper()}_MODEL"] = _ask_value(
                question, f"{tier}_model", default=default
            )
        return {**variables, **models, **self._ask_prices(models.values(), address)}

    def _ask_prices(self, models: Iterable[str], address: str) -> Variables:
        from frasier.llm import is_loopback, models_without_price

        unknown = models_without_price(self._llm, models, base_url=address)
        if not unknown and is_loopback(address):
            typer.echo(
                "Models on this machine count as free, unless FRASIER_LLM__PRICES has a price for them.",
                err=True,
            )
        if not unknown:
            return {}
        prices: dict[str, Any] = {
            model: price.model_dump(mode="json", exclude_none=True)
            for model, price in self._llm.prices.items()
        }
        for model in unknown:
            question = f"The price of {model}, in dollars for a million tokens that it"
            prices[model] = {
                "input": ask_number(f"{question} reads; 0 where it is free", default=0),
                "output": ask_number(f"{question} writes", default=0),
            }
        return {"FRASIER_LLM__PRICES": json.dumps(prices)}

    async def attempt(self, services: Services) -> list[str]:
        results = await services.gateway.self_test()
        return [f"{tier}: {result.reason}" for tier, result in results.items() if result.status != "ok"]


class _Search:
    """The questions about the search of the web."""

    without = "Without a search, work is done from your documents and from the links in your directives."

    def __init__(self, installation: Installation) -> None:
        self.nothing: Variables = {
            "FRASIER_WEB__SEARCH": "none",
            "FRASIER_WEB__SEARCH_KEY": None,
            "FRASIER_WEB__SEARCH_URL": None,
        }
        self._present = installation.search
        self._address = installation.search_url

    def ask(self) -> Variables:
        service = ask_choice(
            "Which service searches the web", ("none", "brave", "searxng"), default=self._present
        )
        if service == "none":
            return self.nothing
        stays = service == self._present
        chosen: Variables = {"FRASIER_WEB__SEARCH": service}
        if service == "brave":
            return {**chosen, **_secret("FRASIER_WEB__SEARCH_KEY", "Its key", is_set=stays)}
        address = ask("The address of the instance", default=self._address if stays else "")
        return {**chosen, "FRASIER_WEB__SEARCH_URL": address, "FRASIER_WEB__SEARCH_KEY": None}

    async def attempt(self, services: Services) -> list[str]:
        return [] if await services.search_web("Frasier") else ["The search answered, and found nothing."]


def _ask_value(question: str, setting: str, *, default: str) -> str:
    """Ask until the answer is one that this setting of models may have."""
    from pydantic import ValidationError

    from frasier.kernel.validation_messages import what_is_wrong
    from frasier.llm import LlmSettings

    while True:
        answer = ask(question, default=default)
        try:
            LlmSettings.model_validate({setting: answer})
        except ValidationError as error:
            problem = what_is_wrong(error.errors(include_url=False, include_context=True)[0])
            typer.echo(strip_control(f"{answer!r} will not do: it {problem}."), err=True)
        else:
            return answer


def _secret(variable: str, question: str, *, is_set: bool) -> Variables:
    """Ask for a secret; nothing changes where the present one stays, and without any the variable is removed."""
    typed = ask_secret(question, is_set=is_set)
    return {} if is_set and not typed else {variable: typed or None}


def _ask_caps(installation: Installation) -> Variables:
    caps = installation.llm.caps
    variables = {}
    for scope, limit in (("day", caps.day_usd), ("month", caps.month_usd)):
        usd = ask_number(f"The most to spend in a {scope}, in dollars", default=float(limit))
        variables[f"FRASIER_LLM__CAPS__{scope.upper()}_USD"] = f"{usd:g}"
    return variables

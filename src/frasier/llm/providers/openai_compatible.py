"""The provider for servers of OpenAI's chat completions: OpenRouter, OpenAI, a local one."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
from pydantic import SecretStr, ValidationError

from frasier.kernel.errors import ProviderError, ProviderUnavailable
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.llm.providers.dialect import ModelDialect
from frasier.llm.providers.openai_failures import errors_of, from_exception, from_status
from frasier.llm.providers.openai_wire import Completion, WireError
from frasier.llm.settings import StructuredMode
from frasier.llm.types import ProviderCall, ProviderReply
from frasier.outbound import ExchangeFailed, ExchangeFailure, ServiceErrors
from frasier.outbound.http_client import BoundedClient

log = get_logger()

_CONNECT_S = 10.0
_MALFORMED = {400, 422}
_OPTIONAL_FIELDS = {"max_tokens", "temperature"}


class OpenAICompatible:
    """A provider at one address with its key. It retries only a request that was refused as malformed.

    Such a refusal costs nothing and reveals the dialect of the model; a dialect that works is remembered.
    """

    def __init__(self, *, base_url: str, api_key: SecretStr | None, structured: StructuredMode) -> None:
        self._name = urlsplit(base_url).netloc
        self._key = api_key
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            # The client requires a key, and would take that of another program from the environment.
            api_key=api_key.get_secret_value() if api_key else "none",
            max_retries=0,
            http_client=BoundedClient(),
        )
        self._client.organization = None
        self._client.project = None
        self._first_dialect = ModelDialect.start(structured)
        self._dialects: dict[str, ModelDialect] = {}

    @property
    def name(self) -> str:
        return self._name

    async def close(self) -> None:
        await self._client.close()

    async def complete(self, call: ProviderCall) -> ProviderReply:
        """Ask once; `call.timeout_s` bounds the whole exchange, not only each read of it."""
        forbid_open_transaction("asking a model")
        try:
            async with asyncio.timeout(call.timeout_s):
                return await self._complete(call)
        except TimeoutError:
            failed = ExchangeFailed(ExchangeFailure.TIMEOUT)
            raise self._errors(call).from_failure(failed, seconds=call.timeout_s) from None

    async def _complete(self, call: ProviderCall) -> ProviderReply:
        dialect = self._dialects.get(call.model, self._first_dialect)
        while True:
            try:
                response = await self._post(dialect.request(call), call.timeout_s)
            except ExchangeFailed as failed:
                raise self._errors(call).from_failure(failed, seconds=call.timeout_s) from None
            except openai.OpenAIError as error:
                next_dialect = _after_refusal(dialect, call, error)
                if next_dialect is None:
                    # Not chained: the client's error holds the request with its key.
                    raise from_exception(
                        error, self._errors(call), model=call.model, seconds=call.timeout_s
                    ) from None
                log.info(
                    "llm.dialect_changed", provider=self._name, model=call.model, dialect=str(next_dialect)
                )
                dialect = next_dialect
                continue
            self._dialects[call.model] = dialect
            return self._read(response, call)

    async def _post(self, body: dict[str, Any], timeout_s: float) -> httpx2.Response:
        timeout = httpx2.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s))
        return await self._client.post(
            "/chat/completions", cast_to=httpx2.Response, body=body, options={"timeout": timeout}
        )

    def _errors(self, call: ProviderCall) -> ServiceErrors:
        return errors_of(call.model, self._name, self._key)

    def _read(self, response: httpx2.Response, call: ProviderCall) -> ProviderReply:
        errors = self._errors(call)
        try:
            completion = Completion.model_validate_json(response.content)
        except ValidationError:
            raise errors.bad_reply("a malformed completion") from None
        choice = completion.choices[0] if completion.choices else None
        error = completion.error or (choice.error if choice else None)
        if error is not None:
            raise self._error_in_body(error, call, response)
        if choice is None:
            raise errors.bad_reply("a completion without a choice")
        if choice.finish_reason == "error":
            raise errors.error(ProviderUnavailable, f"{errors.name} failed midway.")
        refused = choice.message.content is None and choice.message.refusal
        return ProviderReply(
            text=choice.message.content or "",
            finish_reason="content_filter" if refused else choice.finish_reason or "",
            tokens_in=completion.usage.prompt_tokens,
            tokens_out=completion.usage.completion_tokens,
            tokens_cached=completion.usage.cached_tokens,
            cost_usd_micros=completion.usage.cost_usd_micros,
            request_id=completion.id,
        )

    def _error_in_body(
        self, error: WireError, call: ProviderCall, response: httpx2.Response
    ) -> ProviderError:
        errors = self._errors(call)
        code = str(error.code or "")
        if not (code.isdecimal() and 400 <= int(code) <= 599):
            return errors.bad_reply(f"an error: {errors.quote(error.message)}")
        return from_status(int(code), None, error.message, errors, model=call.model, headers=response.headers)


def _after_refusal(
    dialect: ModelDialect, call: ProviderCall, error: openai.OpenAIError
) -> ModelDialect | None:
    """Return the dialect to try next, if the request was refused for something that can be expressed otherwise."""
    if not isinstance(error, openai.APIStatusError) or error.status_code not in _MALFORMED:
        return None
    field = error.param if isinstance(error.param, str) else None
    if field and field not in _OPTIONAL_FIELDS and not field.startswith("response_format"):
        return None
    return dialect.adapted(refused_field=field, structured=call.json_schema is not None)

"""Calls of operations with typed outputs; the models of an output are loaded when it first arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from frasier.interfaces.client.connection import ConnectedClient
from frasier.kernel.errors import BadReply

if TYPE_CHECKING:
    from frasier.interfaces.operations import Envelope, Output

Data = TypeVar("Data")

OPERATIONS = "frasier.interfaces.operations."
"""The package whose modules define the outputs; a method names its own as MODULE:CLASS below it."""
CHECK_TIMEOUT_S = 3_600.0  # the server has a limit of its own for each command


class ResultPage(Generic[Data]):
    """A page of a list: its envelope, and the address of the next one, which is empty on the last."""

    def __init__(self, envelope: Envelope[Any], next_link: str, operation: str, output: str) -> None:
        self.envelope = envelope
        self.next_link = next_link
        self.operation = operation
        self.output = output

    @property
    def data(self) -> Data:
        """The data of the page."""
        data: Data = self.envelope.data
        return data

    @property
    def summary(self) -> str:
        """The page in a sentence."""
        return self.envelope.summary


class TypedCalls(ConnectedClient):
    """A caller of operations over a connection, which reads their answers. It loads none of them before."""

    def _run(self, operation: str, output: str, arguments: Mapping[str, Any]) -> Envelope[Any]:
        """Run an operation with the local variables of a method, which are its arguments."""
        inputs = {name: value for name, value in arguments.items() if name != "self"}
        extra_s = CHECK_TIMEOUT_S if operation == "task_check" else float(inputs.get("timeout_s") or 0.0)
        return self._read(operation, output, self._connection.run(operation, inputs, extra_timeout_s=extra_s))

    def _page(self, operation: str, output: str, arguments: Mapping[str, Any]) -> ResultPage[Any]:
        inputs = {name: value for name, value in arguments.items() if name != "self"}
        return self._page_of(operation, output, self._connection.run(operation, inputs))

    def pages(self, first: ResultPage[Data]) -> Iterator[ResultPage[Data]]:
        """Yield a page of a list and all that follow it."""
        page = first
        yield page
        while page.next_link:
            page = self._page_of(page.operation, page.output, self._connection.follow(page.next_link))
            yield page

    def _page_of(self, operation: str, output: str, reply: dict[str, Any]) -> ResultPage[Any]:
        next_link = str(reply.pop("next", ""))
        return ResultPage(self._read(operation, output, reply), next_link, operation, output)

    def _read(self, operation: str, output: str, reply: Mapping[str, Any]) -> Envelope[Any]:
        from pydantic import ValidationError  # noqa: PLC0415

        from frasier.interfaces.operations import Envelope  # noqa: PLC0415

        module, _, name = output.partition(":")
        data: type[Output] = getattr(import_module(OPERATIONS + module), name)
        try:
            return Envelope[data].model_validate(reply)  # type: ignore[valid-type]
        except ValidationError as error:
            raise BadReply(
                f"The response to {operation} is not what this client knows: {error.errors()[0]['msg']}.",
                hint="Use a client of the server's version.",
            ) from None

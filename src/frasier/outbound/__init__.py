"""Requests to outside services: bounded, redacted, and failing with one set of errors.

    http_client.HttpClient(…)   sends one request within a time and a size; a module of its own, because it loads the
                                HTTP library
    ServiceErrors(…)            turns a status, a broken exchange or a bad reply of one service into a ProviderError
    retry_after_s(headers)      the wait that a response asks for, in each of its spellings
    CircuitBreaker()            leaves a service alone that keeps failing, then probes it

Nothing here touches a database, and no request is sent while a transaction is open.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.outbound.circuit_breaker import CircuitBreaker, CircuitState
    from frasier.outbound.exchange_failure import ExchangeFailed, ExchangeFailure
    from frasier.outbound.retry_after import retry_after_s
    from frasier.outbound.service_errors import KeyRefused, ServiceErrors, reason_in
else:
    lazy_exports(__name__)

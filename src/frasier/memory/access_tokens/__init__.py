"""Bearer tokens of external clients and the scopes they grant; only a hash of each is stored."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.access_tokens.tokens import (
        FIRST_TOKEN as FIRST_TOKEN,
        GET_TOKEN as GET_TOKEN,
        AccessToken as AccessToken,
        issue_first_token as issue_first_token,
        issue_token as issue_token,
        list_tokens as list_tokens,
        revoke_token as revoke_token,
        verify_token as verify_token,
    )
else:
    lazy_exports(__name__)

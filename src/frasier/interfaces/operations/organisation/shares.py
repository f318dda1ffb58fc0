"""Share a deliverable by a link, list the links, and revoke one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import (
    Limit,
    MissionName,
    declare_founders,
    services_of,
)
from frasier.interfaces.operations.paging import More, first_of, more_hint
from frasier.interfaces.page_record import recorded_page
from frasier.interfaces.server_settings import USUAL_ADDRESS
from frasier.kernel.humanize import plural
from frasier.org.missions import DAYS_MAX, revoke_share, share_deliverable
from frasier.overview import ShareSummary, read_shares, summaries_of
from frasier.store import Tx

_COUNT_MAX = 2**31 - 1


class ShareCreateInput(StorableInput):
    """The deliverable that is shared, and for how long."""

    mission: MissionName
    days: int = Field(30, ge=1, le=DAYS_MAX, description="How many days the link is valid")
    version: int | None = Field(
        None, ge=1, le=_COUNT_MAX, description="Default: the approved one, as it is now"
    )
    latest: bool = Field(False, description="Always the approved version, also a later one")


class ShareCreateOutput(Output):
    """A link that was made; its secret is shown this once. `link` is whole, `path` without the address of the page."""

    share: ShareSummary
    path: str
    link: str


async def _create(context: OperationContext, request: ShareCreateInput) -> Result[ShareCreateOutput]:
    async def share(tx: Tx) -> ShareCreateOutput:
        made = await share_deliverable(
            tx, request.mission, version=request.version, latest=request.latest, days=request.days
        )
        (summary,) = await summaries_of(tx, made.link)
        path = f"/shared/{made.secret}"
        address = services.address or recorded_page(services.home) or USUAL_ADDRESS
        return ShareCreateOutput(share=summary, path=path, link=address + path)

    services = services_of(context)
    data = await services.in_transaction(share)
    link = data.share
    which = "its approved version" if link.version is None else f"version {link.version}"
    return Result(
        summary=f"Whoever has the link may read {which} of {link.title} until {link.ends_at:%Y-%m-%d %H:%M} UTC.",
        data=data,
    )


class ShareListInput(StorableInput):
    """The links that are wanted."""

    mission: Annotated[str | None, CliOption(argument="MISSION")] = Field(
        None, max_length=100, description="Only those of this mission"
    )
    limit: Limit = 50


class ShareListOutput(Output):
    """Links, newest first, also those that ended or were revoked; never their secrets."""

    shares: tuple[ShareSummary, ...]
    more: More = False


async def _list(context: OperationContext, request: ShareListInput) -> Result[ShareListOutput]:
    read = await services_of(context).in_transaction(read_shares, request.mission, limit=request.limit + 1)
    shares, more = first_of(read, request.limit)
    valid = sum(share.valid for share in shares)
    return Result(
        summary=f"{plural(len(shares), 'link')}, {valid} valid.",
        data=ShareListOutput(shares=shares, more=more),
        hints=more_hint(more=more),
    )


class ShareRevokeInput(StorableInput):
    """The name of a link."""

    share: Annotated[str, CliOption(argument="SHARE")] = Field(
        max_length=200, description="A link's id, its beginning or end"
    )


class ShareRevokeOutput(Output):
    """A link that was revoked."""

    share: ShareSummary


async def _revoke(context: OperationContext, request: ShareRevokeInput) -> Result[ShareRevokeOutput]:
    async def revoke(tx: Tx) -> ShareSummary:
        (summary,) = await summaries_of(tx, await revoke_share(tx, request.share))
        return summary

    share = await services_of(context).in_transaction(revoke)
    return Result(
        summary=f"The link to {share.title} is not valid any more.", data=ShareRevokeOutput(share=share)
    )


CREATE = declare_founders(
    _create,
    name="share_create",
    title="Share a deliverable",
    layer=Layer.SURGICAL,
    about="Make a link by which anybody may read one deliverable for some days, without a login and nothing else.",
)
LIST = declare_founders(
    _list,
    name="share_list",
    title="List share links",
    layer=Layer.DISCOVERY,
    about="The links by which deliverables are shared, with their ends; never their secrets.",
    read_only=True,
)
REVOKE = declare_founders(
    _revoke,
    name="share_revoke",
    title="Revoke a share link",
    layer=Layer.SURGICAL,
    about="Revoke a link at once: it shows nothing any more.",
    destructive=True,
    idempotent=True,
)

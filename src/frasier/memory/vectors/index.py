"""The HNSW index of each space: built when the space has grown, dropped when it is no longer used."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable, StoreError
from frasier.kernel.logging_setup import get_logger, mask_url
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.memory.vectors.types import SpaceRef
from frasier.store import Connection, Database, Statements, connect, hold_lease

log = get_logger()

_sql = Statements("frasier.memory.vectors")

INDEX_FROM = 5_000
"""A space with fewer vectors is searched faster without an index (measured, 384 dimensions)."""

_LEASE = "vector-indexes"
_LEASE_S = 60.0
_GRAPH_BYTES = 1_000  # of a vector's neighbours, while the graph is built


def index_name(space_id: int) -> str:
    return f"memory_vectors_hnsw_{space_id}"


async def prepare_index(database: Database, owner_url: str, space: SpaceRef) -> None:
    """Build the index of `space` if it is missing and worthwhile; drop every unusable index.

    `owner_url` is a direct connection of the role that owns the schema. Readers and writers are not blocked. Only one
    process does it at a time; others return. Raises ConfigurationError if the role lacks the privilege,
    DatabaseUnreachable, or StoreError; the next call starts over.
    """
    forbid_open_transaction("changing an index")
    async with hold_lease(database, _LEASE, lease_s=_LEASE_S) as leads:
        if leads:
            await _prepare(owner_url, space)
        else:
            log.info("vectors.index_is_being_built", space=space.id)


async def _prepare(owner_url: str, space: SpaceRef) -> None:
    async with _owner(owner_url) as connection:
        for row in await _sql.all(connection, "unusable_indexes"):
            drop = SQL(_sql.by_name["drop_index"]).format(name=Identifier(row["name"]))
            await connection.execute(drop)
            log.info("vectors.index_dropped", index=row["name"])
        name = index_name(space.id)
        unindexed = await _sql.one(connection, "index_wanted", space=space.id, index=name)
        if unindexed["vectors"] >= INDEX_FROM:
            await _build(connection, space, unindexed["vectors"])


async def _build(connection: Connection, space: SpaceRef, vectors: int) -> None:
    log.info("vectors.index_building", space=space.id, vectors=vectors)
    await _sql.one(connection, "building_settings", bytes=vectors * (2 * space.dimension + _GRAPH_BYTES))
    create = SQL(_sql.by_name["create_index"]).format(
        name=Identifier(index_name(space.id)), dimension=Literal(space.dimension), space=Literal(space.id)
    )
    await connection.execute(create)
    await connection.execute(_sql.by_name["analyze_vectors"])
    log.info("vectors.index_built", space=space.id, vectors=vectors)


@asynccontextmanager
async def _owner(url: str) -> AsyncIterator[Connection]:
    """Open a connection outside any transaction, as PostgreSQL requires to build an index concurrently."""
    try:
        async with await connect(url) as connection:
            yield connection
    except psycopg.errors.InsufficientPrivilege as error:
        raise ConfigurationError(
            "The role of the database URL may not build the vector index.",
            kept="Everything is stored and found; a search in a large scope is slower without the index.",
            hint="Set FRASIER_DATABASE__OWNER_URL to the role that owns the schema.",
        ) from error
    except psycopg.Error as error:
        reason = (mask_url(str(error)).strip().splitlines() or [type(error).__name__])[0]
        kept = "Everything is stored and found; a search in a large scope is slower without the index."
        if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
            raise DatabaseUnreachable(
                f"The database does not answer: {reason}",
                kept=kept,
                advice=Advice("database.url", to="check its address"),
            ) from error
        raise StoreError(
            f"PostgreSQL did not build the vector index: {reason}",
            kept=kept,
            hint="The job will retry.",
            advice=Advice("doctor.run", to="see the state of the database"),
        ) from error

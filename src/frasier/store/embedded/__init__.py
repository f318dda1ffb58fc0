"""The embedded PostgreSQL: started on demand, shared by every process of a home, surviving what kills it."""

from frasier.store.embedded.layout import default_root
from frasier.store.embedded.provision import APP_ROLE, DATABASE, OWNER_ROLE
from frasier.store.embedded.server import EmbeddedServer

__all__ = ["APP_ROLE", "DATABASE", "OWNER_ROLE", "EmbeddedServer", "default_root"]

"""The embedded PostgreSQL: started on demand, shared by every process of a home, and recovering from crashes."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.store.embedded.paths import default_root
    from frasier.store.embedded.roles_and_databases import OWNER_ROLE, ConnectedProcesses
    from frasier.store.embedded.server import EmbeddedServer
else:
    lazy_exports(__name__)

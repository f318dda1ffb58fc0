"""Channels of the outbox: the deliverable's folder always, announcements to a file."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.publish.announcements import AnnouncementFile
    from frasier.interfaces.publish.folder import FolderChannel
else:
    lazy_exports(__name__)

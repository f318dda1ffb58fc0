"""Where results go: channels of the outbox. The deliverable's folder always; announcements to a file."""

from frasier.interfaces.publish.announcements import AnnouncementFile
from frasier.interfaces.publish.folder import FolderChannel

__all__ = ["AnnouncementFile", "FolderChannel"]

"""Markdown files as memories: anchored sections, frontmatter, folders kept in step, files written safely.

index_file(tx, caller, roots, path)      one file → its memory
scan_folder(database, caller, roots, folder)    a folder → its memories
save_as_file(database, caller, roots, path, new)   a memory → a file and its memory
deliver_sections(content, requested, count)       a memory's sections
"""

from frasier.memory.files.anchors import (
    AnchorFault,
    AnchorProblem,
    Anchors,
    Resolution,
    Section,
    read_anchors,
    resolve,
)
from frasier.memory.files.composing import NewFile, compose
from frasier.memory.files.delivery import ANCHORS_REQUESTED_MAX, DeliveredSection, Delivery, deliver_sections
from frasier.memory.files.document import FILE_BYTES_MAX, ParsedFile, parse_file, refuse_broken_anchors
from frasier.memory.files.indexing import FileStatus, IndexedFile, hash_of_file, index_file
from frasier.memory.files.links import LinkReport, retry_links
from frasier.memory.files.metadata import ContextType, FileMetadata, Link, LinkKind
from frasier.memory.files.roots import FileState, InsidePath, Roots, read_inside
from frasier.memory.files.scan import (
    SCAN_EVERY_S,
    FileProblem,
    FileWarning,
    ScanProgress,
    ScanReport,
    scan_folder,
)
from frasier.memory.files.tiers import (
    TierProposal,
    UnreadEdit,
    answer_tier_proposal,
    find_tier_proposal,
    tier_proposals,
    unread_edits,
)
from frasier.memory.files.walk import LeftOut
from frasier.memory.files.writing import save_as_file, write_memory_file

__all__ = [
    "ANCHORS_REQUESTED_MAX",
    "FILE_BYTES_MAX",
    "SCAN_EVERY_S",
    "AnchorFault",
    "AnchorProblem",
    "Anchors",
    "ContextType",
    "DeliveredSection",
    "Delivery",
    "FileMetadata",
    "FileProblem",
    "FileState",
    "FileStatus",
    "FileWarning",
    "IndexedFile",
    "InsidePath",
    "LeftOut",
    "Link",
    "LinkKind",
    "LinkReport",
    "NewFile",
    "ParsedFile",
    "Resolution",
    "Roots",
    "ScanProgress",
    "ScanReport",
    "Section",
    "TierProposal",
    "UnreadEdit",
    "answer_tier_proposal",
    "compose",
    "deliver_sections",
    "find_tier_proposal",
    "hash_of_file",
    "index_file",
    "parse_file",
    "read_anchors",
    "read_inside",
    "refuse_broken_anchors",
    "resolve",
    "retry_links",
    "save_as_file",
    "scan_folder",
    "tier_proposals",
    "unread_edits",
    "write_memory_file",
]

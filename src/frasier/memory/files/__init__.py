"""Markdown files as memories: anchored sections, frontmatter, folder scans and atomic writes.

index_file(tx, caller, roots, path)      one file → its memory
scan_folder(database, caller, roots, folder)    a folder → its memories
save_as_file(database, caller, roots, path, new)   a memory → a file and its memory
deliver_sections(content, requested, count)       a memory's sections
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.files.anchors import (
        AnchorFault as AnchorFault,
        AnchorProblem as AnchorProblem,
        Anchors as Anchors,
        Resolution as Resolution,
        AnchoredSection as AnchoredSection,
        read_anchors as read_anchors,
        resolve as resolve,
    )
    from frasier.memory.files.compose import NewFile as NewFile, compose as compose
    from frasier.memory.files.sections import (
        ANCHORS_REQUESTED_MAX as ANCHORS_REQUESTED_MAX,
        DeliveredSection as DeliveredSection,
        Delivery as Delivery,
        deliver_sections as deliver_sections,
    )
    from frasier.memory.files.parse_file import (
        FILE_BYTES_MAX as FILE_BYTES_MAX,
        ParsedFile as ParsedFile,
        parse_file as parse_file,
        refuse_broken_anchors as refuse_broken_anchors,
    )
    from frasier.memory.files.index_file import (
        FileStatus as FileStatus,
        IndexedFile as IndexedFile,
        hash_of_file as hash_of_file,
        index_file as index_file,
    )
    from frasier.memory.files.links import LinkReport as LinkReport, retry_links as retry_links
    from frasier.memory.files.metadata import (
        ContextType as ContextType,
        FileMetadata as FileMetadata,
        Link as Link,
        LinkKind as LinkKind,
    )
    from frasier.memory.files.allowed_paths import (
        FileState as FileState,
        InsidePath as InsidePath,
        Roots as Roots,
        read_inside as read_inside,
    )
    from frasier.memory.files.scan import (
        SCAN_EVERY_S as SCAN_EVERY_S,
        FileProblem as FileProblem,
        FileWarning as FileWarning,
        ScanProgress as ScanProgress,
        ScanReport as ScanReport,
        scan_folder as scan_folder,
    )
    from frasier.memory.files.tiers import (
        TierProposal as TierProposal,
        UnreadEdit as UnreadEdit,
        answer_tier_proposal as answer_tier_proposal,
        find_tier_proposal as find_tier_proposal,
        tier_proposals as tier_proposals,
        unread_edits as unread_edits,
    )
    from frasier.memory.files.walk import LeftOut as LeftOut
    from frasier.memory.files.atomic_write import (
        save_as_file as save_as_file,
        write_memory_file as write_memory_file,
    )
    from frasier.memory.files.service import MemoryFiles as MemoryFiles
else:
    lazy_exports(__name__)

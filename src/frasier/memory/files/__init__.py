"""Markdown files as memories: anchored sections, frontmatter, folder scans and atomic writes.

index_file(tx, caller, roots, path)      one file → its memory
scan_folder(database, caller, roots, folder)    a folder → its memories
save_as_file(database, caller, roots, path, new)   a memory → a file and its memory
deliver_sections(content, requested, count)       a memory's sections
"""

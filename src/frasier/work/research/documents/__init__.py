"""Local documents as sources: folders are read to plain text, and texts are divided into passages.

    read_sources(roots, limits)  folders and files → Scan: documents, problems, what was skipped
    extract_text(data, media)    the bytes of one file of a known kind → its text
    choose_media(path, data)     which reader a file gets
    parse_mail(data)             an e-mail → its headers, its text and its attached documents
    passages(text)               a document's text → passages, each an exact substring
    ParserProcess                the confined process that reads PDF, DOCX, XLSX and HTML

Everything here blocks and touches no database: call it in a thread.
"""

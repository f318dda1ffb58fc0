"""Readers of formats whose parsers are exposed to attacks: PDF, DOCX, XLSX and HTML.

They run in a process of their own (`__main__.py`), which is confined and may be killed. It loads this package
alone, by its short name: hence the relative imports here, and nothing of the product but its kernel.
"""

"""Research: local documents, the web and earlier deliverables as numbered sources."""

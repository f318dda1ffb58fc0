"""Research: what a run may read — local documents, the web, earlier deliverables — as numbered sources."""

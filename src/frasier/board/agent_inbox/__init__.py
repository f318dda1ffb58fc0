"""The inbox of an agent: its tasks and notices, recovery after a break, waiting for work, and working memory."""

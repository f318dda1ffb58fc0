"""Evaluation of retrieval quality on judged test collections."""

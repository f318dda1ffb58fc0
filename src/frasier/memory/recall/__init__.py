"""Recall: arms, fusion, reranking, ranking boost, and rendering within a token budget."""

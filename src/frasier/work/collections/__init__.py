"""Whole collections: the same questions to every document, answered with quotations, and joined by code."""

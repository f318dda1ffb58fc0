"""Trials of new personas: frozen inputs of past work, the writing of both versions, and what a pair costs."""

"""The causal graph: edges between memories, causes and effects of a memory, and neighbours for recall.

A caller sees an edge if both of its ends are in the caller's scopes.
"""

"""Vectors for memories: encoders on this machine and behind HTTP, and the queue of memories to encode."""

"""The founder's decisions: asked for by a refused move, bound to exactly that move, and used once."""

"""The organisation: who works here, what they can do, who decides what, and what they are asked to make."""

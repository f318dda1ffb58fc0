"""The conversation with the founder: what a message comes with, and what of earlier turns an answer is told."""

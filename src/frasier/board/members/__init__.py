"""Boards, and the members who may act on them."""

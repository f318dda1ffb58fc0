"""Estimates: what a mission will take, before its first step."""

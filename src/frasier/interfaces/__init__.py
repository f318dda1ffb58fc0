"""Interfaces for people and programs: parse the input, run one operation, present the result. No business rules."""

"""The organisation: its people and skills, its governance, and its planning."""

"""The ways in for people and programs: parse, one call, present. No rules live here."""

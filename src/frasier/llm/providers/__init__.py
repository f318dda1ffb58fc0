"""The ways to reach a model. Each module is one of them, imported when it is first used."""

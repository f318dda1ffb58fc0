"""The providers of models, one a module, each imported when it is first used."""

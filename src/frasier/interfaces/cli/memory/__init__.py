"""`frasier memory`: the memory engine at the command line."""

"""Bearer tokens of external clients and the scopes they grant; only a hash of each is stored."""

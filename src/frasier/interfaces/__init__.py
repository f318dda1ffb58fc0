"""How people and programs reach the product: parse, one call, present. No rules live here."""

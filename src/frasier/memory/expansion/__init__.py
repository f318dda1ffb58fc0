"""Query expansion: acronyms, long forms and spelling corrections for words that no memory holds."""

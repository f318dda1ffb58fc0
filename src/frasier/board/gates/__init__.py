"""Gates: conditions of a move that process tables name. A check reads rows only."""

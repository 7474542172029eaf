"""Playing one's own games: deals, moves, hints, codes."""

"""The live table of a game: its message, controls, autocomplete, posting and follow-ups."""

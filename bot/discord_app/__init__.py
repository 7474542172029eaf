"""The bot on Discord: commands, answers and errors. No rule, no SQL and no sentence is in here."""

"""What belongs to a player: statistics, settings, their data."""

"""What makes discord.py bear the load; the only code that touches its private names."""

"""Some hundreds of exchanges between players and the bot, recorded once and replayed with the code of today."""

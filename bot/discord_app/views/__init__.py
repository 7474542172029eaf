"""Parts of messages that several features show."""

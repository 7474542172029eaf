"""The Discord bot: storage, service, pictures, texts and commands around the rules of ``engine``."""

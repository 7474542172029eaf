"""One module a feature: its commands, its components, its answers."""

"""What solves and hints each game: one module or package a game, imported by :mod:`solve.registry`."""

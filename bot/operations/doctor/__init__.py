"""``python -m bot doctor``: what is wrong with the set-up, and what to do about it."""

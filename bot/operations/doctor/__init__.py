"""``python -m bot doctor``: checks the set-up, and says how to fix what is wrong. It changes nothing."""

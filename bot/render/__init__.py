"""What a table looks like: as a picture and in words. It sees a ``Table``, so no hidden card."""

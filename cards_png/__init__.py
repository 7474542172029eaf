"""The cards as PNG files, a folder for each style and in it for each width, and the program that draws them.

``python cards_png/draw.py`` writes them again, byte for byte the same.
"""

"""Regression recording: over a thousand exchanges between players and the bot, recorded once and replayed.

`script.py` lists what is played, `recording.py` records, replays and compares, `words.py` handles reworded
sentences, `left.py` and `going_on.py` keep and reuse a database that the old code wrote.
"""

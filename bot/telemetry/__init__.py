"""Traces, metrics and the log, and what must not be in them."""

"""Exit codes of ``python -m bot``, besides 0 for success."""

FAILED = 1
USAGE_ERROR = 2

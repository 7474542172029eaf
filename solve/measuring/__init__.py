"""What ``python -m solve`` does: solve one deal, survey many, compare with published figures."""

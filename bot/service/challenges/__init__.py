"""Playing the same cards as friends: challenges, comparisons, sharing."""

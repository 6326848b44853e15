"""Does the passage hold the statement."""

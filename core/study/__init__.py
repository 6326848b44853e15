"""Sources become cards that come back on the right day."""

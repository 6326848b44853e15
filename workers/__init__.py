"""Processes that do what may take longer than a second, and the command line."""

"""Passages become an answer."""

"""Summaries and key points of sources."""

"""Tests: bot."""

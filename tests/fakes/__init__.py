"""Tests: fakes."""

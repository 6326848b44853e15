"""Telegram as a face: updates in, messages out, no decisions."""

"""Asking, answering and showing what an answer stands on."""

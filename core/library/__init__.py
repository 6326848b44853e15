"""Notebooks and what is put into them."""

"""Models that see: a page's picture goes out, its text as Markdown comes back."""

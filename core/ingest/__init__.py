"""A source's bytes become clean text, chunks, postings and vectors."""

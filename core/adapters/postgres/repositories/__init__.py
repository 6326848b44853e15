"""One repository a noun."""

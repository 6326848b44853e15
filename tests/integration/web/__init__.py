"""Links, through the real proxy, the real client and the real browser."""

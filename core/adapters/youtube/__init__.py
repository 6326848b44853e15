"""How the words of a YouTube video are got: each level one library or service, and what guards them all."""

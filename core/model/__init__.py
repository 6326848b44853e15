"""What exists: frozen values without behaviour of the outside world."""

"""Plans and the ledger that every model call passes."""

"""Pure functions from values to what a person sees."""

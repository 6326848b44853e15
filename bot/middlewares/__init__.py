"""What happens around every handler."""

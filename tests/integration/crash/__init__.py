"""Processes of the product are killed at named points; nothing may be lost or doubled."""

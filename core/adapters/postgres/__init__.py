"""Postgres: tables, the unit of work, one repository a noun."""

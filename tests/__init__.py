"""The product's tests."""

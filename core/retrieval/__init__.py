"""A question finds its passages inside one notebook."""

"""The only folder of core that touches the world."""

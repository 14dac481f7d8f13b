"""Several rigs in one window: which are open, and the tabs that show one of them."""

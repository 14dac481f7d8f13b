"""The panels around the panes, one module each, and the rows and lanes in them."""

"""The rules: one module per family, and what several of them say in one voice."""

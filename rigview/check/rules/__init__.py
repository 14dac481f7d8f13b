"""The rules: one module per family, and the wording that several of them share."""

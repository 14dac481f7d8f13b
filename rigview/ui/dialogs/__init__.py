"""Windows that ask for something or tell it."""

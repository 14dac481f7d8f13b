"""What fixes do to rigs: edits that several rules share, each with its promise."""

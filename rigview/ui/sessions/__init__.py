"""Sessions of the window: kept while it runs, brought back after a crash, saved where someone wants to."""

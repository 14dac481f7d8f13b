"""Any rig as a USD file of its own: planned here as numbers, written by OpenUSD in a child process."""

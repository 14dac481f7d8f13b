"""Making skin weights: surfaces welded by position, distances to bones, and the methods."""

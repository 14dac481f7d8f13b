"""Arrays dealt with quickly: by column, by axis, as sparse sums, and made when asked for."""

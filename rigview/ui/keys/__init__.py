"""Keys: which action has which, the sheet that lists them and the editor that changes them."""

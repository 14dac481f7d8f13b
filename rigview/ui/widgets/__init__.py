"""What panels and dialogs are built of; nothing here knows of rigs."""

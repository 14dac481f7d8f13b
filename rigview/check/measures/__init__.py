"""What rules measure of a rig; nothing here knows of rules, findings or fixes."""

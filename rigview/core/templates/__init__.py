"""Skeletons to conform to: what a template says, how a rig is matched with it, and templates of rigs."""

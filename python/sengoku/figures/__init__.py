"""Figures of results, and films of the cube tower; they need optional packages."""

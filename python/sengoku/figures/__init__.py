"""Figures of results, and films of the cube tower; both need optional packages."""

FRAMES_PER_SECOND = 25
"""Frame rate of films: four hundredths of a second per picture, which a gif can express exactly."""

"""Tools of the documentation: the generated reference, and the parts of a page that tests look at."""

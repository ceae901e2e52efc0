"""Text in SVG pictures."""

import re
from xml.sax.saxutils import escape

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not have, not even escaped."""


def escaped(text: str) -> str:
    """Return text as it stands in XML, between tags or as an attribute in double quotes.

    >>> escaped('a < "b"' + chr(7))
    'a &lt; &quot;b&quot;'
    """
    return escape(_NOT_IN_XML.sub("", text), {'"': "&quot;"})

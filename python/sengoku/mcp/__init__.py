"""An MCP server: tools and resources with which the clients of language models play, in process or remotely.

The tools are written once, for the interfaces `Tables` and `Table`. `local` implements them for matches of
this process, `remote` for matches of a server. `server` needs the package `mcp`, and
`arguments` one that comes with it.
"""

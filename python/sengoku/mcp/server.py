"""The MCP server itself, with the official package: tools, resources, typed errors, and both transports."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from sengoku import __version__
from sengoku.errors import ArgumentError, InternalError, SengokuError
from sengoku.mcp import resources
from sengoku.mcp.arguments import Reply
from sengoku.mcp.tools import INSTRUCTIONS, TOOLS, Tools

__all__ = ["error_data", "make_server", "serve_stdio"]

_log = logging.getLogger(__name__)
McpServer = Server[Any]


def error_data(error: SengokuError) -> dict[str, Any]:
    """Return an error as plain values: reason, field, message, and every value of the message by name."""
    found: dict[str, Any] = {"reason": error.reason, "message": str(error), "details": error.details}
    if "field" in error.details:
        found["field"] = error.details["field"]
    if error.retry_after is not None:
        found["retry_after"] = error.retry_after
    if error.request_id is not None:
        found["request_id"] = error.request_id
    return found


def _known(error: Exception) -> SengokuError:
    """Return an error with a reason; the details of a bug are only logged."""
    if isinstance(error, SengokuError):
        return error
    if isinstance(error, TypeError | ValueError | OverflowError):
        return ArgumentError(str(error)[:300])
    _log.error("unexpected error in a tool", exc_info=error)
    return InternalError("internal error, see the log of the MCP server")


def _answer(reply: Reply) -> types.CallToolResult:
    # Clients show the model the text or the values, so that the values have the text, too.
    content: list[Any] = [types.TextContent(type="text", text=reply.text)]
    return types.CallToolResult(
        content=content, structured_content={**reply.values, "text": reply.text}, is_error=False
    )


def _failure(error: SengokuError) -> types.CallToolResult:
    content: list[Any] = [types.TextContent(type="text", text=f"{error.reason}: {error}")]
    return types.CallToolResult(content=content, structured_content=error_data(error), is_error=True)


def make_server(tools: Tools) -> McpServer:
    """Return an MCP server with these tools."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=one.name,
                    title=one.title,
                    description=one.about,
                    input_schema=one.schema,
                    annotations=types.ToolAnnotations(
                        title=one.title,
                        read_only_hint=one.reads,
                        destructive_hint=one.name == "end_match",
                        open_world_hint=False,
                    ),
                )
                for one in TOOLS.values()
            ]
        )

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        one = TOOLS.get(params.name)
        if one is None:
            message = f"there is no tool {params.name[:60]!r}, tools are {', '.join(TOOLS)}"
            raise MCPError(types.INVALID_PARAMS, message)
        try:
            return _answer(await one.call(tools, params.arguments or {}))
        except Exception as error:  # noqa: BLE001 - the model gets a reason, the log the traceback
            return _failure(_known(error))

    async def list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
        found = [
            types.Resource(uri=one.uri, name=one.name, description=one.about, mime_type=one.kind)
            for one in resources.listed()
        ]
        return types.ListResourcesResult(resources=found)

    async def list_templates(_context: Any, _params: Any) -> types.ListResourceTemplatesResult:
        found = [
            types.ResourceTemplate(
                uri_template=one.uri, name=one.name, description=one.about, mime_type=one.kind
            )
            for one in resources.TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=found)

    async def read_resource(
        _context: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text, kind = await resources.read(uri, tools.find)
        except Exception as error:  # noqa: BLE001 - as above
            known = _known(error)
            raise MCPError(types.INVALID_PARAMS, f"{known.reason}: {known}", error_data(known)) from None
        contents: list[Any] = [types.TextResourceContents(uri=uri, mime_type=kind, text=text)]
        return types.ReadResourceResult(contents=contents)

    return Server(
        "sengoku",
        version=__version__,
        title="Sengoku",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda name: TOOLS[name].schema if name in TOOLS else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


async def serve_stdio(tools: Tools) -> None:
    """Serve on stdin and stdout until stdin ends."""
    server = make_server(tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

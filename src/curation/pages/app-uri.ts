/** The view of MCP Apps (SEP-1865): one for all tools, which shows the page that an answer names. */
export const appUri = 'ui://artwork-mcp/page';
export const appMimeType = 'text/html;profile=mcp-app';

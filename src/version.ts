import packageJson from '../package.json' with { type: 'json' };

export const version: string = packageJson.version;
/** Says to operators what this program is, and where to complain. */
export const userAgent = `artwork-mcp/${version} (MCP server for curating artwork; +${packageJson.homepage})`;

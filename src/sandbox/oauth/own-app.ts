/** The app of `artwork-mcp` itself, which needs no registration. */
export const ownApp = { clientId: 'artwork-mcp' } as const;

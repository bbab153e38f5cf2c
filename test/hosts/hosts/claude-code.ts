import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

export const claudeCode: Host = {
  name: 'Claude Code',
  packages: [['@anthropic-ai/claude-code', '2.1.330']],
  node: 20,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const config = path.join(home, 'mcp.json');
    await writeFile(config, JSON.stringify({ mcpServers: { artwork: { type: 'stdio', ...server } } }));
    const flags = ['--strict-mcp-config', '--output-format', 'stream-json', '--verbose'];
    return {
      command: path.join(installed, 'node_modules/.bin/claude'),
      args: ['-p', prompt, '--mcp-config', config, '--allowedTools', 'mcp__artwork', ...flags],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        ENABLE_TOOL_SEARCH: 'true',
      },
    };
  },
  search: {
    ask: (words, callId) => ({ callId, name: 'ToolSearch', arguments: { query: words, max_results: 5 } }),
    exactly: (tool) => `select:mcp__artwork__${tool}`,
  },
};

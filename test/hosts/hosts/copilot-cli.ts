import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

export const copilotCli: Host = {
  name: 'Copilot CLI',
  packages: [['@github/copilot', '1.0.102']],
  node: 24,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const folder = path.join(home, '.copilot');
    await mkdir(folder, { recursive: true });
    const config = { mcpServers: { artwork: { type: 'local', ...server, tools: ['*'] } } };
    await writeFile(path.join(folder, 'mcp-config.json'), JSON.stringify(config));
    return {
      command: path.join(installed, 'node_modules/.bin/copilot'),
      args: ['-p', prompt, '--allow-all-tools', '--allow-all-paths', '--no-auto-update'],
      env: {
        COPILOT_HOME: folder,
        COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_PROVIDER_WIRE_API: 'responses',
        COPILOT_MODEL: 'fake',
        COPILOT_OFFLINE: 'true',
      },
    };
  },
};

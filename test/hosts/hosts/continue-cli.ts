import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

export const continueCli: Host = {
  name: 'Continue CLI',
  packages: [['@continuedev/cli', '1.5.47']],
  node: 24,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const config = path.join(home, 'config.yaml');
    const capabilities = ['tool_use', 'image_input'];
    // JSON is YAML too.
    await writeFile(
      config,
      JSON.stringify({
        name: 'Play',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'Fake',
            provider: 'openai',
            model: 'fake',
            apiBase: `${modelUrl}/v1`,
            apiKey: 'none',
            capabilities,
            roles: ['chat'],
            // Beyond a context that it takes for full it would sum up, and forget.
            defaultCompletionOptions: { contextLength: 400_000, maxTokens: 8_000 },
          },
        ],
        mcpServers: [{ name: 'artwork', type: 'stdio', ...server }],
      }),
    );
    await mkdir(path.join(home, '.continue'), { recursive: true });
    return {
      command: path.join(installed, 'node_modules/.bin/cn'),
      args: ['-p', '--auto', '--config', config, prompt],
      env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_GLOBAL_DIR: path.join(home, '.continue') },
    };
  },
};

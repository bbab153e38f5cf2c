import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

export const opencode: Host = {
  name: 'opencode',
  packages: [['opencode-ai', '1.18.33']],
  node: 20,
  async prepare({ installed, home, workspace, modelUrl, prompt, server }) {
    const config = {
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Fake',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
          models: {
            fake: {
              name: 'Fake',
              attachment: true,
              tool_call: true,
              modalities: { input: ['text', 'image'], output: ['text'] },
              limit: { context: 200_000, output: 8_000 },
            },
          },
        },
      },
      model: 'fake/fake',
      small_model: 'fake/fake',
      share: 'disabled',
      autoupdate: false,
      mcp: {
        artwork: {
          type: 'local',
          command: [server.command, ...server.args],
          environment: server.env,
          enabled: true,
        },
      },
    };
    await writeFile(path.join(workspace, 'opencode.json'), JSON.stringify(config));
    return {
      command: path.join(installed, 'node_modules/.bin/opencode'),
      args: ['run', prompt],
      env: {
        XDG_DATA_HOME: path.join(home, '.local/share'),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    };
  },
};
